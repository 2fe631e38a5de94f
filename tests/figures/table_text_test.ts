import { deepEqual, equal, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { table } from "@/lib/figures/mod.ts";

const ROWS = Object.freeze([
  {
    run: "measured/gemma-3-270m/ruler",
    score: 91.6,
    low: 90.1,
    high: 93,
    said: "It holds at every length that was asked of it.",
  },
  { run: "第一次运行", score: 3, low: 1, high: 12.5, said: "–" },
]);

const WIDE = table(ROWS, {
  title: "Two runs were compared on the same samples",
  caption: "The score in percent, with its interval, and what is said of it.",
  n: 20,
  origin: "measured",
  interval: "95% interval",
  columns: [
    { field: "run", label: "Run" },
    { field: "score", label: "Score (%)", digits: 1, low: "low", high: "high", best: "highest" },
    { field: "said", label: "What is said", tone: (said) => said === "–" ? "open" : "good" },
  ],
});

/** The columns of a line in a terminal. */
function widthOf(line: string): number {
  return [...line].reduce((sum, character) => sum + (/[\u2e80-\uffff]/.test(character) ? 2 : 1), 0);
}

Deno.test("a table fits a terminal: names break after a slash, sentences between words, intervals nowhere", () => {
  match(WIDE.fit({ columns: 60 }), /^measured\/gemma-/m);
  match(WIDE.fit({ columns: 60 }), /91\.6 \[90\.1, 93\.0\]\*/);
});

Deno.test("columns without room stand below the others, the rows named again", () => {
  const columns = ["1K", "2K", "4K"].map((
    label,
  ) => ({ field: "score", label, digits: 1, low: "low", high: "high" } as const));
  const many = table(ROWS, {
    ...{ title: "Scores", caption: "In percent.", n: 20, origin: "measured" as const, interval: "95% interval" },
    columns: [{ field: "run", label: "Run" }, ...columns],
  });
  const text = many.fit({ columns: 60 });
  deepEqual(text.match(/^Run .*$/gm)?.map((head) => head.split(/\s+/)), [["Run", "1K", "2K"], ["Run", "4K"]]);
  equal(text.match(/第一次运行/g)?.length, 2);
});

Deno.test("no line is wider than the terminal, no word is lost, and a wide terminal shows the plain text", () => {
  fc.assert(fc.property(fc.integer({ min: 40, max: 300 }), (columns) => {
    const text = WIDE.fit({ columns });
    ok(text.split("\n").every((line) => widthOf(line) <= columns));
    for (const word of ["every", "length", "Score", "interval", "[90.1,"]) ok(text.includes(word));
  }));
  equal(WIDE.fit({ columns: 300 }), WIDE.text);
});

Deno.test("colours change nothing of what a table looks like", () => {
  const seen = new Set<string>();
  const painted = WIDE.fit({
    columns: 60,
    paint: (role, text) => {
      seen.add(role);
      return `\x1b[1m${text}\x1b[22m`;
    },
  });
  // deno-lint-ignore no-control-regex -- these are the colours
  const plain = painted.replaceAll(/\x1b\[\d+m/g, "").split("\n").map((line) => line.trimEnd()).join("\n");
  equal(plain, WIDE.fit({ columns: 60 }));
  deepEqual([...seen].toSorted(), ["best", "caption", "good", "head", "note", "open", "title"]);
});

Deno.test("rows with much text in several columns are paragraphs in a narrow terminal, and a table in a wide one", () => {
  const rows = [
    { id: "R2", verdict: "holds", quote: "quoted ".repeat(30), seen: "seen [1.0, 2.0] ".repeat(8) },
    { id: "R11", verdict: "fails", quote: "–", seen: "" },
  ];
  const wordy = table(rows, {
    ...{ title: "Claims", caption: "What they say.", n: 20, origin: "measured" as const },
    columns: { id: "Claim", quote: "Words", verdict: { label: "Verdict", tone: () => "bad" }, seen: "Observed" },
  });
  for (const columns of [60, 80, 100, 139]) {
    const text = wordy.fit({ columns, paint: (role, part) => role === "bad" ? part.toUpperCase() : part });
    ok(text.split("\n").every((line) => widthOf(line) <= columns), text);
    match(
      text,
      /\nR2 · HOLDS\n {2}Words: quoted [^]*\n {2}Observed: seen \[1\.0, 2\.0\] [^]*\n\nR11 · FAILS\n {2}Words: –\n/,
    );
    ok(!/\[1\.0,$/m.test(text));
  }
  match(wordy.fit({ columns: 140 }), /^Claim +Words +Verdict +Observed$/m);
});
