import { deepEqual, equal, match, ok } from "node:assert/strict";
import {
  ABLATION_CLAIMS,
  type AblationEvidence,
  ablationLines,
  checkClaims,
  openPublished,
  publishedAblationLines,
  rulerAblations,
} from "@/lib/analysis/mod.ts";

const published: AblationEvidence = { lines: publishedAblationLines(await openPublished()), replies: null };
const verdicts = (evidence: AblationEvidence) =>
  Object.fromEntries(checkClaims(ABLATION_CLAIMS, evidence).map(({ id, verdict }) => [id, verdict]));
const observed = (evidence: AblationEvidence, id: string): string =>
  checkClaims(ABLATION_CLAIMS, evidence).find((claim) => claim.id === id)!.observed;

Deno.test("ABLATION_CLAIMS decide on the printed lines of Yi-34B as read by hand", () => {
  deepEqual(verdicts(published), {
    // 100.0 at all sixteen points.
    "R12": "holds",
    // Words as keys of UUIDs score 100.0 up to 256K.
    "R12-types": "fails",
    "R12-uuids": "holds",
    "R12-values": "fails",
    // 100.0 against 58.6.
    "R13": "holds",
    "R13-near": "cannot tell",
    // 8 keys stand above 4 at 4K, 8K and 16K, by 0.2 to 1.2 points of 500 samples.
    "R14": "cannot tell",
    "R14-longest": "holds",
    // 100.0 against 85.0.
    "R15": "holds",
    "R16": "holds",
    // 74.3 at 4K, 81.9 at 256K.
    "R16-length": "fails",
    "R16-repeats": "cannot tell",
    "R17": "cannot tell",
    "R17-short": "cannot tell",
    "R18": "cannot tell",
    // 76.8, 76.5, 78.7 at 128K.
    "R19-chains": "holds",
    "R19-chains-each": "cannot tell",
    "R19-hops": "holds",
    "R19-hops-each": "cannot tell",
    "R19-late": "holds",
    "R19-steady": "holds",
    "R20": "holds",
    "R21": "holds",
    // 62.4 against 28.8 and 48.4 against 31.6.
    "R21-near": "fails",
  });
});

Deno.test("ABLATION_CLAIMS say how many points were lost", () => {
  match(observed(published, "R13"), /#K=1 scores 100\.0 and #K=FULL 58\.6: a loss of 41\.4/);
  match(observed(published, "R15"), /a loss of 15\.0/);
  match(observed(published, "R17"), /the score of 1\.2 at 128K does not contradict it/);
  match(observed(published, "R19-late"), /chain=2, hop=2 10\.3 up to 128K and 26\.9 beyond/);
  match(observed(published, "R21-near"), /SQuAD \(28\.8 without context\) is still 33\.6 .* 35% of the way down/);
});

Deno.test("ABLATION_CLAIMS cannot be told from an empty run, and say why, without NaN", () => {
  for (const evidence of [{ lines: [], replies: [] }, { lines: [], replies: null }]) {
    for (const { id, verdict, observed } of checkClaims(ABLATION_CLAIMS, evidence)) {
      equal(verdict, "cannot tell", id);
      ok(observed.length > 10 && !/NaN|Infinity|undefined/.test(observed), `${id}: ${observed}`);
    }
  }
});

Deno.test("ABLATION_CLAIMS are not decided by one sample a point", () => {
  const panels = rulerAblations();
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
    modes: [{ class: "example copied", why: "", evidence: [] }],
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

Deno.test("ABLATION_CLAIMS tell near distractors from random ones", () => {
  const wrong = (nearer: number) =>
    ({
      task: "niah_multikey_2",
      length: 4096,
      value: 0,
      failed: false,
      modes: [{ class: "distractor", why: "", evidence: [{ said: "1", nearer }] }],
    }) as const;
  const near = Array.from({ length: 20 }, () => wrong(0.05));
  const random = Array.from({ length: 200 }, (_, at) => wrong((at % 20) / 20 + 0.1 > 1 ? 1 : (at % 20) / 20 + 0.1));
  equal(verdicts({ lines: [], replies: near })["R13-near"], "holds");
  equal(verdicts({ lines: [], replies: random })["R13-near"], "fails");
});
