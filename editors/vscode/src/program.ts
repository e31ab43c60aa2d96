// Where a program is that has no path of its own. Systems look in more places than `PATH`: Windows looks in the
// current folder first, which may hold anything.

import * as path from 'node:path';

/** What of the system is looked at. */
export interface System {
  platform: NodeJS.Platform;
  /** The variables of the environment. */
  env: NodeJS.ProcessEnv;
  /** Whether there is a file at a path. */
  isFile: (file: string) => boolean;
}

/**
 * The absolute path of a program: its own, or that in the first folder of `PATH` that has it. Folders that are
 * relative to the current one do not count, nor does a program whose path is. `undefined` if there is none.
 */
export function resolve(program: string, system: System): string | undefined {
  const windows = system.platform === 'win32';
  const paths = windows ? path.win32 : path.posix;
  // What is no program by its name Windows would not start without a shell.
  const name = windows && path.win32.extname(program) === '' ? `${program}.exe` : program;
  const exists = (file: string): string | undefined => (system.isFile(file) ? file : undefined);
  // On Windows `\frank.exe` and `c:frank.exe` depend on where one is.
  const isWhole = (file: string): boolean => paths.isAbsolute(file) && (!windows || /^([a-z]:[/\\]|[/\\]{2})/i.test(file));
  if (isWhole(program)) {
    return exists(name) ?? exists(program);
  }
  if (program.includes('/') || program.includes(paths.sep) || (windows && program.includes(':'))) {
    return undefined;
  }
  // Names of variables differ in case on Windows.
  const variable = Object.keys(system.env).find((key) => (windows ? key.toUpperCase() : key) === 'PATH');
  const folders = (variable === undefined ? '' : (system.env[variable] ?? '')).split(paths.delimiter);
  const whole = folders.map((folder) => folder.trim().replace(/^"(.*)"$/, '$1')).filter(isWhole);
  return whole.map((folder) => paths.join(folder, name)).find((file) => system.isFile(file));
}
