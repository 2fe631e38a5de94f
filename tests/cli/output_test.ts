import { deepEqual, equal } from "node:assert/strict";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { liveIn, NASTY_TEXTS } from "./_nasty_texts.ts";
import { shell } from "./_shell.ts";
import { painted } from "@/lib/cli/terminal_style.ts";
import { guard, harmless, STANDARD_OUTPUT } from "@/lib/cli/output.ts";

Deno.test.each([
  ["a title for the window", "run\x1b]0;owned\x07", "run\\u{1b}]0;owned\\u{7}"],
  ["a cleared screen", "\x1b[2J\x1b[Hall fine", "\\u{1b}[2J\\u{1b}[Hall fine"],
  ["hidden text", "\x1b[8mgone\x1b[0m", "\\u{1b}[8mgone\x1b[0m"],
  ["a line written over", "failed\rpassed", "failed\\u{d}passed"],
  ["a command of one byte", "a\u009b2Jb", "a\\u{9b}2Jb"],
  ["backspaces", "no\b\byes", "no\\u{8}\\u{8}yes"],
  ["text turned round", "\u202egnp.exe", "\\u{202e}gnp.exe"],
  ["other scripts, joined letters and pictures", "中文 نص\u200c 👩\u200d💻", "中文 نص\u200c 👩\u200d💻"],
  ["lines", "a\r\n\tb\n", "a\r\n\tb\n"],
  ["our own colours", painted("error", "fathom:"), painted("error", "fathom:")],
] as [string, string, string][])(
  "harmless() writes out %s, or leaves it where it is no command",
  (_name, text, wanted) => {
    equal(harmless(text), wanted);
    equal(harmless(harmless(text)), wanted);
  },
);

Deno.test("harmless() lets progress redraw its line", () => {
  equal(harmless("\r10%\x1b[K", { redraws: true }), "\r10%\x1b[K");
  equal(harmless("\r10%\x1b[K"), "\\u{d}10%\\u{1b}[K");
});

Deno.test("a note is one line, whatever the names and messages in it, and commands no job", () => {
  const { write } = process.stderr;
  let written = "";
  process.stderr.write = ((text: string) => void (written += text)) as never;
  try {
    for (const text of NASTY_TEXTS) STANDARD_OUTPUT.note(`\nServer ${text}`);
  } finally {
    process.stderr.write = write;
  }
  const lines = written.split("\n").filter((line) => line !== "");
  equal(lines.length, NASTY_TEXTS.length);
  for (const line of lines) {
    // Tabs and colours stay.
    const rest = stripVTControlCharacters(line).replaceAll(/[\t\ud800]/g, "");
    deepEqual(liveIn(rest, ["controls", "command"]), []);
  }
});

const noted = async (error: unknown): Promise<readonly [code: number, text: string]> => {
  const notes: string[] = [];
  const output = {
    write: () => Promise.resolve(),
    print: () => {},
    note: (line: string) => void notes.push(line),
    redraw: () => {},
  };
  return [await guard(() => Promise.reject(error), output), notes.join("\n")];
};
const system = (code: string, syscall: string, more: object): Error =>
  Object.assign(new Error(`${code}: raw, ${syscall}`), { code, syscall, ...more });

Deno.test.each([
  [
    "a full disk",
    system("ENOSPC", "write", {}),
    1,
    "Cannot write a file as the system must permit it: there is no space left on the disk",
  ],
  [
    "a full disk in Deno's words",
    Object.assign(new Error("No space left on device (os error 28)"), { code: "ENOSPC" }),
    1,
    "Cannot write a file as the system must permit it: there is no space left on the disk",
  ],
  [
    "too many open files in Deno's words",
    Object.assign(new Error("Too many open files (os error 24)"), { code: "EMFILE" }),
    1,
    "Cannot write a file as the system must permit it: too many files are open",
  ],
  [
    "no other error of the system",
    Object.assign(new Error("Broken pipeline (os error 99)"), { code: "EOTHER" }),
    1,
    "Broken pipeline (os error 99)",
  ],
  [
    "a name that is too long",
    system("ENAMETOOLONG", "open", { path: "a/b" }),
    1,
    'Cannot open "a/b" as the system must permit it: its name is too long for the file system',
  ],
  [
    "a place that is read-only",
    system("EROFS", "rename", { path: "a", dest: "b" }),
    1,
    'Cannot rename "b" as the system must permit it: its file system is read-only',
  ],
  [
    "nesting without end",
    new RangeError("Maximum call stack size exceeded"),
    2,
    "Cannot read the input as its nesting must be within bounds: current value is nested too deeply",
  ],
] as [string, Error, number, string][])("guard() puts %s into words", async (_, error, code, text) => {
  deepEqual(await noted(error), [code, `fathom: ${text}`]);
});

Deno.test.each([["export"], ["report"], ["show"], ["compare"]])(
  "%s refuses an empty name with a word",
  async (command) => {
    const { code, out, err } = await shell(command, "");
    deepEqual([code, out, err], [2, "", [
      `fathom: Cannot run ${command} as each name or path must be given: current value is ""`,
    ]]);
  },
);
