// An xterm that shows what comes on stdin and says on stdout what it answers: node live.cjs COLS ROWS

const { Terminal } = require("@xterm/headless");

const [cols, rows] = process.argv.slice(2).map(Number);
const terminal = new Terminal({ cols, rows, allowProposedApi: true });
terminal.onData((data) => process.stdout.write(data));
process.stdin.on("data", (data) => terminal.write(data));
process.stdin.on("end", () => process.exit(0));
