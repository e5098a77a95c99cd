// One job as a program of Node keeps it: a PTY, and a terminal in memory that its output is fed to. argv: COMMAND ARG...
"use strict";
const { Terminal } = require("@xterm/headless");
const pty = require("node-pty");

const size = { cols: 120, rows: 40 };
const [command, ...args] = process.argv.slice(2);
const terminal = new Terminal({ ...size, allowProposedApi: true });
const job = pty.spawn(command, args, { ...size, name: "xterm-256color", env: process.env });
job.onData((data) => terminal.write(data));
job.onExit(() => process.exit(0));
