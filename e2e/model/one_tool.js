// The files server with one tool, `write_file`: so small a model finds one, and not one of fourteen.
// `node one_tool.js SERVER FOLDER` passes lines on both ways, and takes the other tools out of the list.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const server = spawn(process.execPath, process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(server.stdin);
server.on("exit", (code) => process.exit(code ?? 1));
for await (const line of createInterface({ input: server.stdout })) {
  const message = JSON.parse(line);
  const { tools } = message.result ?? {};
  if (tools) message.result.tools = tools.filter(({ name }) => name === "write_file");
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
