#!/usr/bin/env node
// Starts the program `frank` of the package for this platform, which npm installs beside this one.
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');

/** Whether programs here are linked with musl, as those of Alpine are. */
function isMusl() {
  return process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
}

/** The path of the program; throws an Error that says what to do if there is none. */
function program() {
  const name = `@frank-tools/frank-${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`;
  const file = process.platform === 'win32' ? 'frank.exe' : 'frank';
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    throw new Error(
      `the package ${name} with the program for this platform is not installed: install again without --omit=optional; ` +
        'if there is no such package, `cargo install frank-cli` builds the program',
    );
  }
}

let path;
try {
  path = process.env.FRANK_BINARY || program();
} catch (error) {
  console.error(`frank: ${error.message}`);
  process.exit(2);
}
const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
// Whoever ends this process means the program; a key that interrupts is sent to both by the terminal.
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGHUP', () => child.kill('SIGHUP'));
process.on('SIGINT', () => {});
child.on('error', (error) => {
  console.error(`frank: ${path} cannot be started: ${error.message}`);
  process.exitCode = 2;
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
});
