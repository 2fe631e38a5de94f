import { deepEqual, equal, match } from "node:assert/strict";
import type { ExplorerAnswer, ExplorerFacts, ExplorerRow } from "@/lib/reports/explorer/data.ts";
import { FORMS, promptCommands } from "@/lib/reports/explorer/client/copies.ts";
import { diffTexts } from "@/lib/reports/explorer/client/detail.ts";
import { sortRows, sortsOf } from "@/lib/reports/explorer/client/list.ts";
import { findValues, visible } from "@/lib/reports/explorer/client/pieces.ts";
import { comparedRun, readState, writeState } from "@/lib/reports/explorer/client/state.ts";
import { readCsv } from "@/lib/statistics/mod.ts";

const FACTS = {
  runs: ["first", "it's"].map((name) => ({ name, label: name, model: `m-${name}` })),
  tasks: [{ name: "vt", suite: "words", least: 0 }],
} as unknown as ExplorerFacts;

function answer(value: number | null, text = "7"): ExplorerAnswer {
  return { value, verdict: "wrong", latency: 5, text, thinking: "", lines: [], modes: [] };
}

function row(at: number, answers: ExplorerRow["answers"], depth: number | null = null): ExplorerRow {
  const place = { at, task: 0, length: 4096, index: at, repeat: 0, seed: "42", id: `words/vt/4096/42/${at}` };
  return { ...place, depth, cluster: null, question: 'Which "x", y?', wanted: ["7", "a,b"], why: "", answers };
}

const ROWS = [
  row(0, [answer(1), answer(1)], 0.5),
  row(1, [answer(1), answer(0)]),
  row(2, [answer(0), answer(1)], 0.1),
  row(3, [answer(null), answer(0.5)], 0.9),
  row(4, [null, answer(0)]),
];

function order(sort: string, against = 0): number[] {
  return sortRows(ROWS, sort, sortsOf(FACTS, against)).map(({ at }) => at);
}

Deno.test("samples are sorted by disagreement and difference, missing values last in both directions", () => {
  deepEqual(order(""), [0, 1, 2, 3, 4]);
  deepEqual(order("-spread"), [1, 2, 0, 3, 4]);
  deepEqual(order("difference1"), [1, 0, 2, 3, 4]);
  deepEqual(order("difference0", 1), [2, 0, 1, 3, 4]);
  deepEqual(order("score0"), [2, 0, 1, 3, 4]);
  deepEqual(order("-score0"), [0, 1, 2, 3, 4]);
  deepEqual(order("depth"), [2, 0, 3, 1, 4]);
  deepEqual(order("-depth"), [3, 0, 2, 1, 4]);
  deepEqual(order("nonsense"), [0, 1, 2, 3, 4]);
});

Deno.test("one run has no orders of several runs", () => {
  const one = { ...FACTS, runs: FACTS.runs.slice(0, 1) };
  deepEqual(sortsOf(one).map(({ id, label }) => `${id} ${label}`), [
    " Sample",
    "length Length",
    "depth Depth",
    "score0 Score",
    "latency Time",
  ]);
});

Deno.test("a state is read from a hash as it was written, and a heading is none", () => {
  const state = { task: "vt,niah=1 & <b>", length: "4096,8192", q: "a=b#ü\u202e", s: "12" };
  deepEqual(readState(writeState(state)), state);
  equal(writeState({ task: "vt", length: "4096,8192", page: "" }), "#task=vt&length=4096,8192");
  deepEqual(readState(""), {});
  deepEqual(readState("#"), {});
  equal(readState("#results"), undefined);
});

Deno.test("the run that others are compared with is one of the page", () => {
  const compared = ["1", "0", "9", "-1", "x", "length", ""].map((against) => (
    comparedRun({ facts: FACTS, state: { against } })
  ));
  deepEqual(compared, [1, 0, 0, 0, 0, 0, 0]);
});

function diff(first: string, second: string): string {
  return diffTexts(first, second)!.map(({ value, added, removed }) => {
    if (removed) return `[-${value}-]`;
    return added ? `{+${value}+}` : value;
  }).join("");
}

Deno.test("values are compared by characters and texts by words", () => {
  equal(diff("3745005", "374505"), "37450[-0-]5");
  equal(diff("Fort Mill", "Fort Hill"), "Fort [-M-]{+H+}ill");
  equal(diff("yes", "7 apples"), "[-yes-]{+7 apples+}");
  const text = "It is found in the third chapter of that book, on page ";
  equal(diff(`${text}12.`, `${text}13.`), `${text}[-12-]{+13+}.`);
  const words = (step: number): string => Array.from({ length: 4000 }, (_, at) => `w${at * step % 977}`).join(" ");
  equal(diffTexts(words(7), words(13)), undefined);
});

Deno.test("values are found in any case, the longest first, and patterns are texts", () => {
  deepEqual(findValues("Ab (1.5) abc 125", { given: ["abc", "1.5"], answer: ["AB", "(1.5)", " "] }), [
    [0, 2, "answer"],
    [3, 8, "answer"],
    [9, 12, "given"],
  ]);
  deepEqual(findValues("text", { given: [], answer: [""] }), []);
});

Deno.test("characters that could change what a page shows are written out", () => {
  equal(visible("a\u202eb\u2028\u0007\ud800\t\n"), "a\\u{202e}b\\u{2028}\\u{7}\ufffd\t\n");
});

Deno.test("samples are copied with the replies of each run as JSON and CSV", () => {
  const rows = [row(1, [answer(0.5, '=1+1,"x"\ny'), null])];
  const [record, ...others] = JSON.parse(FORMS.JSON!(FACTS, rows));
  deepEqual(others, []);
  deepEqual([record.run, record.task, record.index, record.wanted, record.score], [
    "first",
    "vt",
    1,
    ["7", "a,b"],
    0.5,
  ]);
  const [names, cells] = readCsv(FORMS.CSV!(FACTS, rows), "copied.csv");
  deepEqual(names!.fields, Object.keys(record));
  equal(cells!.fields[names!.fields.indexOf("reply")], '=1+1,"x"\ny');
  equal(cells!.fields[names!.fields.indexOf("wanted")], '["7","a,b"]');
  equal(cells!.fields[names!.fields.indexOf("depth")], "");
  match(FORMS.pandas!(FACTS, rows), /^import pandas as pd\n\nnull = None\nreplies = pd\.DataFrame\(\[\n/);
});

Deno.test("a copied script makes a prompt again and prints it with its reply", async () => {
  const runs = [{ name: "measured/gemma-3-270m-kv-q4/kv_cache" }];
  const facts = { runs, tasks: [{ name: "niah_single_2" }] } as unknown as ExplorerFacts;
  const script = FORMS.TypeScript!(facts, [{ ...row(4, []), length: 1024 }]);
  const printed: unknown[][] = [];
  const { log } = console;
  console.log = (...each): void => void printed.push(each);
  try {
    await import(`data:application/typescript,${encodeURIComponent(script)}`);
  } finally {
    console.log = log;
  }
  equal(printed.length, 1);
  match(String(printed[0]![0]), /What is the special magic number for voluminous-lid mentioned/);
  match(JSON.stringify(printed[0]![1]), /found 0 of 1; missing: 3745005/);
});

Deno.test("the commands for a prompt quote names for a shell", () => {
  equal(
    promptCommands(FACTS, ROWS[2]!),
    "fathom show first --task vt --length 4096 --index 2 --repeat 0 --prompt\nfathom view first 'it'\\''s' --serve",
  );
});
