// MB a CPU second of @xterm/headless at 120x40 over a file in chunks of 4 KiB, after a quarter of it to warm up. argv: FILE
"use strict";
const fs = require("node:fs");
const { Terminal } = require("@xterm/headless");

const CHUNK = 4096;
const data = fs.readFileSync(process.argv[2]);
const terminal = new Terminal({ cols: 120, rows: 40, scrollback: 2000, allowProposedApi: true });

async function feed(bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const written = new Promise((done) => terminal.write(bytes.subarray(at, at + CHUNK), done));
    if ((at / CHUNK) % 64 === 63) await written;
  }
  await new Promise((done) => terminal.write("", done));
}

(async () => {
  await feed(data.subarray(0, data.length / 4));
  const before = process.cpuUsage();
  await feed(data);
  const used = process.cpuUsage(before);
  process.stdout.write(JSON.stringify(data.length / (used.user + used.system)));
  process.exit(0);
})();
