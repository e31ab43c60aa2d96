// Asks a server for TOML what can be written in a frank.toml that names its schema and nothing else, and prints
// the names: complete.mjs SERVER FOLDER SCHEMA
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [program, folder, schema] = process.argv.slice(2);
const file = join(folder, "frank.toml");
const text = `#:schema ${schema}\n\n`;
writeFileSync(file, text);
const uri = pathToFileURL(file).href;
const rootUri = pathToFileURL(folder).href;

// The schema is fetched in the background, so the question is asked until there is an answer.
const patience = 30_000;

const server = spawn(program, ["lsp"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
const answers = new Map();
let unread = Buffer.alloc(0);
server.stdout.on("data", (piece) => {
  unread = Buffer.concat([unread, piece]);
  for (;;) {
    const end = unread.indexOf("\r\n\r\n");
    const length = /Content-Length: (\d+)/i.exec(unread.subarray(0, Math.max(end, 0)).toString());
    if (!length || unread.length < end + 4 + Number(length[1])) return;
    const body = unread.subarray(end + 4, end + 4 + Number(length[1])).toString();
    unread = unread.subarray(end + 4 + Number(length[1]));
    const message = JSON.parse(body);
    if (message.method && message.id !== undefined) {
      // Of settings it is told nothing, and all else is taken.
      const result = message.method === "workspace/configuration" ? [null] : null;
      send({ id: message.id, result });
    } else if (message.id !== undefined) {
      answers.get(message.id)?.(message.result);
    }
  }
});

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

let last = 0;
function ask(method, params) {
  const id = ++last;
  const answer = new Promise((resolve) => answers.set(id, resolve));
  send({ id, method, params });
  return answer;
}

await ask("initialize", {
  processId: process.pid,
  rootUri,
  workspaceFolders: [{ uri: rootUri, name: "work" }],
  capabilities: { workspace: { configuration: true }, textDocument: { completion: {} } },
});
send({ method: "initialized", params: {} });
const textDocument = { uri, languageId: "toml", version: 1, text };
send({ method: "textDocument/didOpen", params: { textDocument } });
const until = Date.now() + patience;
let names = [];
while (names.length === 0 && Date.now() < until) {
  const position = { line: 1, character: 0 };
  const found = await ask("textDocument/completion", { textDocument: { uri }, position });
  names = (found?.items ?? found ?? []).map((item) => item.label);
  await new Promise((resolve) => setTimeout(resolve, 100));
}
console.log(names.join("\n"));
server.kill();
await once(server, "exit");
process.exit(names.length === 0 ? 1 : 0);
