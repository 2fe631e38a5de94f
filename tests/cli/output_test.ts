import { deepEqual, equal } from "node:assert/strict";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { liveIn, NASTY_TEXTS } from "./_nasty_texts.ts";
import { harmless, painted, STANDARD_OUTPUT } from "@/lib/cli/output.ts";

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
