// One case a line on stdin, {"cols", "rows", "steps": [BASE64 | [COLS, ROWS] | "look"]}; one line of looks a case on stdout.
"use strict";
const readline = require("node:readline");
const { Terminal } = require("@xterm/headless");
const { Unicode11Addon } = require("@xterm/addon-unicode11");

const SCROLLBACK = 2000;
const FLAGS = ["isBold", "isDim", "isItalic", "isBlink", "isInverse", "isInvisible", "isStrikethrough", "isOverline"];
const MODES = {
  application_cursor: "applicationCursorKeysMode",
  application_keypad: "applicationKeypadMode",
  bracketed_paste: "bracketedPasteMode",
  focus_events: "sendFocusMode",
  insert: "insertMode",
  origin: "originMode",
  synchronized: "synchronizedOutputMode",
  autowrap: "wraparoundMode",
};
const TRACKING = { NONE: 0, X10: 9, VT200: 1000, DRAG: 1002, ANY: 1003 };
const ENCODING = { DEFAULT: 0, SGR: 1006, SGR_PIXELS: 1016 };

const PLAIN = [null, null, 0, 0, null, ""];

const hex = (value) => "#" + value.toString(16).padStart(6, "0");

// SGR 59 leaves all bits set.
function underlineColour(cell) {
  const value = cell.extended.underlineColor;
  const mode = value & 0x3000000;
  if (mode === 0 || (value & 0x3ffffff) === 0x3ffffff) return null;
  return mode === 0x3000000 ? hex(value & 0xffffff) : value & 0xff;
}

// The public getter says underlined, and dashed, of every link.
function underlineStyle(cell) {
  const styled = cell.hasExtendedAttrs() ? (cell.extended._ext & 0x1c000000) >>> 26 : 0;
  return styled || (cell.fg & 0x10000000 ? 1 : 0);
}

function style(cell, links) {
  const underline = underlineStyle(cell);
  return [
    cell.isFgDefault() ? null : cell.isFgRGB() ? hex(cell.getFgColor()) : cell.getFgColor(),
    cell.isBgDefault() ? null : cell.isBgRGB() ? hex(cell.getBgColor()) : cell.getBgColor(),
    FLAGS.reduce((sum, name, bit) => sum + (cell[name]() ? 1 << bit : 0), 0),
    underline,
    underline ? underlineColour(cell) : null,
    links.get(cell.extended.urlId) || "",
  ];
}

// [text, width, style] of every cell; blanks in the default style at the end are left out.
function row(line, cols, links) {
  const cells = [];
  for (let x = 0; x < cols; x++) {
    const cell = line.getCell(x);
    if (!cell || !cell.getWidth()) continue;
    // A wide character that a new size has cut in half is no character any more.
    const whole = x + cell.getWidth() <= cols;
    cells.push(whole ? [cell.getChars() || " ", cell.getWidth(), style(cell, links)] : [" ", 1, PLAIN]);
  }
  const plain = JSON.stringify(PLAIN);
  while (cells.length && cells.at(-1)[0] === " " && JSON.stringify(cells.at(-1)[2]) === plain) cells.pop();
  return cells;
}

// A link is forgotten with the last line that showed it, even if it is still drawn with: so they are noted as they come.
function noted(service) {
  const links = new Map();
  const register = service.registerLink.bind(service);
  service.registerLink = (data) => {
    const id = register(data);
    links.set(id, data.uri);
    return id;
  };
  return links;
}

function look(terminal, told) {
  const { active, normal } = terminal.buffer;
  const core = terminal._core;
  const rows = (buffer, from, to) =>
    Array.from({ length: to - from }, (_, n) => row(buffer.getLine(from + n), terminal.cols, told.links));
  const modes = Object.fromEntries(Object.entries(MODES).map(([name, theirs]) => [name, terminal.modes[theirs]]));
  return {
    rows: rows(active, active.baseY, active.baseY + terminal.rows),
    history: rows(normal, 0, normal.baseY),
    cursor: [active.cursorX, active.cursorY],
    modes: {
      ...modes,
      alternate: active.type === "alternate",
      cursor_visible: !core.coreService.isCursorHidden,
      mouse: TRACKING[core.coreMouseService.activeProtocol],
      mouse_encoding: ENCODING[core.coreMouseService.activeEncoding],
    },
    title: told.title,
    bells: told.bells,
    reports: told.replies.match(/\x1b\[\d+;\d+R/g) || [],
  };
}

// xterm.js has faults of its own, which it raises from a timer: then there is no answer.
let fail = () => {};
process.on("uncaughtException", (error) => fail(error));

const written = (terminal, data) =>
  new Promise((done, failed) => {
    fail = failed;
    terminal.write(data, done);
  });

async function looks(asked) {
  const size = { cols: asked.cols, rows: asked.rows };
  const terminal = new Terminal({ ...size, scrollback: SCROLLBACK, allowProposedApi: true, logLevel: "off" });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  const told = { title: "", bells: 0, replies: "", links: noted(terminal._core._oscLinkService) };
  terminal.onTitleChange((title) => (told.title = title));
  terminal.onBell(() => told.bells++);
  terminal.onData((data) => (told.replies += data));
  const found = [];
  for (const step of [...asked.steps, "look"]) {
    if (step === "look") found.push(look(terminal, told));
    else if (typeof step === "string") await written(terminal, Buffer.from(step, "base64"));
    else terminal.resize(...step);
  }
  terminal.dispose();
  return found;
}

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const found = await looks(JSON.parse(line)).catch(() => []);
    process.stdout.write(JSON.stringify(found) + "\n");
  }
})();
