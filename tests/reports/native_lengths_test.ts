import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { RunManifest } from "@/lib/studies/mod.ts";
import { runReport } from "@/lib/reports/mod.ts";
import { type RunRecord, type ScoredReply, scoreRecords } from "@/lib/records/mod.ts";
import {
  drawnFrom,
  drawnFromAll,
  type DrawnRun,
  nativeLengths,
  nativeLengthTable,
  nativeWarning,
} from "@/lib/reports/native_lengths.ts";

interface Answer {
  readonly task?: string;
  readonly length?: number;
  readonly counted: number;
  readonly native?: number;
  readonly origin?: RunRecord["origin"];
  readonly settings?: RunRecord["settings"];
}

function replyTo(
  { task = "vt", length = 1024, counted, native, origin = "measured", settings = {} }: Answer,
): ScoredReply {
  const err = native === undefined ? {} : { promptTokens: native };
  const reply = { kind: "answer", text: "A", finishReason: "stop", ...err, latencyMs: 9, attempts: 1 };
  const about = { task, length, index: 0, sample: "ruler-2/vt/0", references: ["A"], scoring: "all" };
  const record = { ...about, promptTokens: counted, origin, settings, reply };
  return scoreRecords([record as unknown as RunRecord])[0]!;
}

Deno.test("nativeLengths() takes the means of what the server counted, and says how many it did", () => {
  const replies = [
    replyTo({ counted: 900, native: 1000 }),
    replyTo({ counted: 1000, native: 1090 }),
    replyTo({ counted: 1000 }),
    // A count of 0 is no count.
    replyTo({ counted: 1000, native: 0 }),
    replyTo({ task: "cwe", counted: 1000 }),
  ];
  deepEqual(nativeLengths(replies), [{ task: "vt", length: 1024, n: 2, answered: 4, counted: 950, native: 1045 }]);
});

Deno.test.each([
  ["nothing known", [], undefined],
  ["the same", [{ counted: 1000, native: 1000 }], undefined],
  ["a start marker is not worth a word", [{ counted: 1000, native: 1001 }], undefined],
  ["more", [{ counted: 1000, native: 1100 }], "1K is 1,126 of the model's own tokens (+10%)"],
  ["less", [{ counted: 1000, native: 671 }], "1K is 687 of the model's own tokens (−33%)"],
  [
    "tasks differ",
    [{ counted: 1000, native: 1500 }, { task: "cwe", counted: 1000, native: 1090 }],
    "1K is 1,116 to 1,536 of the model's own tokens (+9% to +50%)",
  ],
  ["the longest that is off", [{ counted: 1000, native: 1100 }, { length: 4096, counted: 4000, native: 4400 }, {
    length: 8192,
    counted: 8000,
    native: 8010,
  }], "4K is 4,506 of the model's own tokens (+10%)"],
  ["2% is not off", [{ length: 1000, counted: 1000, native: 1020 }], undefined],
  ["2% less is not off", [{ length: 1000, counted: 1000, native: 980 }], undefined],
] as [string, Answer[], string | undefined][])("nativeWarning(): %s", (_name, answers, warning) => {
  equal(nativeWarning(nativeLengths(answers.map(replyTo))), warning);
  equal(nativeWarning(nativeLengths(answers.toReversed().map(replyTo))), warning);
});

Deno.test("nativeLengthTable() weighs tasks by their prompts, and has rows of tasks that differ at any length by more than 2%", () => {
  const of = (task: string, length: number, natives: readonly number[]): ScoredReply[] =>
    natives.map((native) => replyTo({ task, length, counted: length, native }));
  const replies = [
    ...of("few", 1000, [1000]),
    ...of("many", 1000, [1100, 1100, 1100]),
    // The mean is 1,075 without this task, and with it.
    ...of("near", 1000, [1095, 1055]),
    ...of("few", 4000, [4000]),
    ...of("many", 4000, [4000, 4000]),
  ];
  const { markdown } = nativeLengthTable(nativeLengths(replies), {
    ...{ title: "Lengths", tokenizer: "cl100k_base", origin: "measured" },
  })!;
  const rows = markdown.split("\n").filter((line) => /^\| [^:]/.test(line)).map((line) =>
    line.split(/ *\| */).slice(1, 4)
  );
  deepEqual(rows, [
    ["Task", "1,000", "4,000"],
    ["all tasks", "1,075 (+7%)", "4,000 (+0%)"],
    ["few", "1,000 (+0%)", "4,000 (+0%)"],
    ["many", "1,100 (+10%)", "4,000 (+0%)"],
  ]);
});

Deno.test("drawnFrom() warns of a measured run, and says nothing of a simulated one", () => {
  const replies = [replyTo({ counted: 1000, native: 1100 })];
  equal(
    drawnFrom({ manifest: { name: "a", model: "a", origin: "measured" }, replies }).warning,
    "1K is 1,126 of the model's own tokens (+10%)",
  );
  deepEqual(drawnFrom({ manifest: { name: "a", model: "a", origin: "simulated" }, replies }), {
    origin: "simulated",
    runs: "a",
  });
  deepEqual(nativeLengths([replyTo({ counted: 1000, native: 1100, origin: "simulated" })]), []);
});

Deno.test.each([
  [
    "a twentieth",
    44,
    "1 of 1 prompts were not counted whole by the server (44 of about 890 tokens), so these counts are not used",
  ],
  [
    "less than a quarter",
    222,
    "1 of 1 prompts were not counted whole by the server (222 of about 890 tokens), so these counts are not used",
  ],
  ["a quarter", 223, "1K is 257 of the model's own tokens (−75%)"],
  ["eight times", 7120, "1K is 8,192 of the model's own tokens (+700%)"],
  [
    "more",
    7121,
    "1 of 1 prompts were not counted whole by the server (7121 of about 890 tokens), so these counts are not used",
  ],
])("drawnFrom() believes no count that cannot be that of a whole prompt: %s", (_name, native, warning) => {
  const replies = [replyTo({ counted: 890, native })];
  equal(drawnFrom({ manifest: { name: "a", model: "a", origin: "measured" }, replies }).warning, warning);
});

Deno.test("nativeLengths() leaves out counts that are far below others of their cell, as they leave out cached tokens", () => {
  const replies = [1000, 1010, 699, 710].map((native) => replyTo({ counted: 1000, native }));
  deepEqual(nativeLengths(replies).map(({ n, native }) => [n, native]), [[3, (1000 + 1010 + 710) / 3]]);
});

Deno.test("drawnFrom() says that first answers are scored, before it warns of lengths", () => {
  const manifest = { name: "a", model: "a", origin: "measured", scored: "first" } as const;
  const said = (native: number): string | undefined =>
    drawnFrom({ manifest, replies: [replyTo({ counted: 1000, native })] }).warning;
  equal(said(1000), "first answers are scored");
  equal(said(1100), "first answers are scored; 1K is 1,126 of the model's own tokens (+10%)");
});

Deno.test("drawnFromAll() warns run by run, once where all warnings are the same, and tells where replies come from", () => {
  const of = (native: number, origin: "measured" | "simulated" = "measured"): DrawnRun => (
    { manifest: { name: "r", model: origin, origin }, replies: [replyTo({ counted: 1000, native, origin })] }
  );
  const long = "1K is 1,126 of the model's own tokens (+10%)";
  const runs = { a: "r", b: "r" };
  deepEqual(drawnFromAll([of(1100), of(1100)], ["a", "b"]), { origin: "measured", runs, warning: long });
  deepEqual(drawnFromAll([of(1000), of(1100)], ["a", "b"]), { origin: "measured", runs, warning: `b: ${long}` });
  deepEqual(drawnFromAll([of(1100), of(1100, "simulated")], ["a", "b"]), {
    origin: { a: "measured", b: "simulated" },
    runs,
    warning: `a: ${long}`,
  });
  deepEqual(drawnFromAll([of(1000), of(1000)], ["a", "b"]), { origin: "measured", runs });
  deepEqual(drawnFromAll([of(1000)], undefined, ["GPT-4"]), {
    origin: { "GPT-4": "published", measured: "measured" },
    runs: { measured: "r" },
  });
});

Deno.test("runReport() warns in every figure and table, and has effective lengths in both kinds of tokens", () => {
  const manifest = {
    model: "m",
    origin: "measured",
    study: { lengths: [1024], samples: 1, first: 0, seed: "42" },
    tasks: { vt: { suite: "ruler-2", scoring: "all", options: {} } },
    materials: { tokenizer: "cl100k_base" },
    ...{ settings: {}, template: { name: "base" }, samples: { count: 2, sha256: "" } },
  } as unknown as RunManifest;
  const replies = [replyTo({ counted: 1000, native: 1100 }), replyTo({ length: 4096, counted: 4000, native: 4400 })];
  const { overview, outcomes, scores, nativeLengths, lengths, claims, curves, cells } = runReport({
    manifest,
    replies,
  });
  for (const shown of [overview, outcomes, scores, lengths, curves, cells]) {
    match(shown!.note, /4K is 4,506 of the model's own tokens \(\+10%\)$/);
  }
  ok(claims === null || claims.note.includes("4,506"));
  match(nativeLengths!.text, /1,126 \(\+10%\) +4,506 \(\+10%\)/);
  match(lengths!.text, />4K +>4,506 +1K to >4K/);
});

Deno.test("nativeLengths() takes the means of 200,000 counts", () => {
  const many = Array<ScoredReply>(200_000).fill(replyTo({ counted: 900, native: 1000 }));
  deepEqual(nativeLengths(many), [
    { task: "vt", length: 1024, n: 200_000, answered: 200_000, counted: 900, native: 1000 },
  ]);
});
