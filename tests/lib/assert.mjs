/** What has to be so, and what was found instead. */
export function assert(right, found) {
  if (!right) {
    throw new Error(`not so: ${typeof found === 'string' ? found : JSON.stringify(found)}`);
  }
}

export function equal(found, expected) {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value));
  if (one !== other) {
    throw new Error(`found ${one}, expected ${other}`);
  }
}
