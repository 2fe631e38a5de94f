import { deepEqual, equal, match, ok } from "node:assert/strict";
import { ABLATION_CLAIMS } from "@/lib/papers/ruler/ablation_claims.ts";
import { ablationLines, ablationPanels } from "@/lib/papers/ruler/ablations.ts";
import type { AblationEvidence } from "@/lib/papers/ruler/reply_claims.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";
import { makeTasks, readStudyFile } from "@/lib/studies/mod.ts";

const TASKS = makeTasks(await readStudyFile("data/studies/03-ablations.yaml"));

const verdicts = (evidence: AblationEvidence) =>
  Object.fromEntries(checkClaims(ABLATION_CLAIMS, evidence).map(({ id, verdict }) => [id, verdict]));
const observed = (evidence: AblationEvidence, id: string): string =>
  checkClaims(ABLATION_CLAIMS, evidence).find((claim) => claim.id === id)!.observed;

Deno.test("ABLATION_CLAIMS are not decided by one sample a point", () => {
  const panels = ablationPanels(TASKS);
  const point = { n: 1, score: 100, low: 2.5, high: 100, failed: 0, noAnswer: 0 };
  const rows = panels.flatMap(({ series }) => series)
    .flatMap(({ task }) => [4096, 131_072, 262_144].map((length) => ({ task, length, ...point })));
  const checked = checkClaims(ABLATION_CLAIMS, { lines: ablationLines(rows, panels), replies: [] });
  for (const { id, verdict, observed } of checked) {
    equal(verdict, "cannot tell", `${id}: ${observed}`);
    ok(!/NaN|Infinity|undefined/.test(observed), observed);
  }
});

Deno.test("ABLATION_CLAIMS of copying and repeating are counted in replies whose failures were explained", () => {
  const reply = {
    length: 131_072,
    value: 0,
    failed: false,
    modes: [{ class: "copied", why: "", evidence: [{ given: "", kind: "example" }] }],
  } as const;
  const right = { length: 4096, value: 1, failed: false, modes: [] } as const;
  const replies = [
    ...Array.from({ length: 100 }, () => ({ task: "cwe", ...reply })),
    ...Array.from({ length: 100 }, () => ({ task: "cwe", ...right })),
    { ...reply, task: "cwe", failed: true, value: null },
    { task: "niah_multivalue", ...right },
  ];
  const found = verdicts({ lines: [], replies });
  deepEqual([found["R17"], found["R17-short"], found["R16-repeats"]], ["holds", "holds", "cannot tell"]);
  match(observed({ lines: [], replies }, "R17"), /100 of 100 replies show it/);
});

Deno.test("ABLATION_CLAIMS count copies of the prompt where common words are asked without the example", () => {
  const modes = [{ class: "copied", why: "", evidence: [{ given: "", kind: "context" }] }] as const;
  const replies = (task: string) =>
    Array.from({ length: 20 }, () => ({ task, length: 4096, value: 0, failed: false, modes }));
  const found = (task: string) => verdicts({ lines: [], replies: replies(task) })["R18"];
  deepEqual([found("cwe_no_example"), found("cwe")], ["holds", "cannot tell"]);
});

Deno.test("ABLATION_CLAIMS distinguish near distractors from random ones", () => {
  const wrong = (nearer: number) =>
    ({
      task: "niah_multikey_2",
      length: 4096,
      value: 0,
      failed: false,
      modes: [{ class: "distractor", why: "", evidence: [{ given: "1", nearer }] }],
    }) as const;
  const near = Array.from({ length: 20 }, () => wrong(0.05));
  const random = Array.from({ length: 200 }, (_, at) => wrong((at % 20) / 20 + 0.1 > 1 ? 1 : (at % 20) / 20 + 0.1));
  equal(verdicts({ lines: [], replies: near })["R13-near"], "holds");
  equal(verdicts({ lines: [], replies: random })["R13-near"], "fails");
});

Deno.test("ABLATION_CLAIMS take about 40 points for 30 to 50, no fewer and no more", () => {
  const line = (series: string, score: number) => ({
    panel: "keys",
    series,
    points: [{ length: 262_144, score, low: score - 1, high: score + 1 }],
  });
  const verdictOf = (score: number) =>
    verdicts({ lines: [line("#K=1", 99), line("#K=FULL", score)], replies: null })["R13"];
  deepEqual([59, 80, 40, 69].map(verdictOf), ["holds", "fails", "fails", "cannot tell"]);
});

Deno.test("ABLATION_CLAIMS count UUIDs returned in part beyond 128K alone", () => {
  const modes = [{ class: "incomplete answer", why: "", evidence: [{ given: "", kind: "part" }] }] as const;
  const replies = (length: number, task: string) =>
    Array.from({ length: 200 }, () => ({ task, length, value: 0, failed: false, modes }));
  const found = (length: number, task = "niah_uuids_uuids") =>
    verdicts({ lines: [], replies: replies(length, task) })["R12-digits"];
  deepEqual([found(262_144), found(131_072), found(262_144, "niah_single_2")], ["holds", "cannot tell", "cannot tell"]);
  match(observed({ lines: [], replies: replies(4096, "niah_single_3") }, "R12-digits"), /no such reply beyond 128K/);
});
