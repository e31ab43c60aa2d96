// What the script that installs things says of where they are.

export function wanted(name) {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} is not set; the script beside the tests sets it`);
  }
  return value;
}
