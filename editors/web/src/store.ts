// What is kept for the next time. A browser may forbid that, or have no more room: then nothing is kept.

const PREFIX = 'frank.playground.';

/** Keeps something; says whether it is kept. */
export function remember(name: string, value: string): boolean {
  try {
    localStorage.setItem(PREFIX + name, value);
    return true;
  } catch {
    return false;
  }
}

export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}
