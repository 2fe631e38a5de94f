import { deepEqual, equal, match, ok } from "node:assert/strict";
import { smallHeader } from "../asking/_fakes.ts";
import { FAILED, record } from "../records/_replies.ts";
import type { Reply } from "@/lib/models/mod.ts";
import { replyOutcomes } from "@/lib/reports/mod.ts";
import type { RunManifest } from "@/lib/studies/mod.ts";
import { scoreRecords } from "@/lib/records/mod.ts";
import { outcomeTable, overviewTable, runOverview } from "@/lib/reports/run_overview.ts";

const manifest: RunManifest = {
  ...{ format: 1, name: "first", fathom: "0.1.0", started: "2026-01-02T03:04:05Z" },
  ...smallHeader(),
  samples: { count: 12, sha256: "abc" },
};

const found = (what: string, from = manifest): string | undefined =>
  runOverview(from, []).find((line) => line.what === what)?.text;

Deno.test("runOverview() says whatever decides samples and answers", () => {
  deepEqual(
    ["Run", "Model", "Settings", "Suite", "Tasks", "Lengths", "Samples", "Seed", "Tokenizer"].map((what) =>
      found(what)
    ),
    [
      "first",
      "fake (measured)",
      "temperature = 0",
      "fake-1",
      "sum, other",
      "512, 1024 tokens, answer room included",
      "3 of each task at each length, numbers 0 to 2; 12 answered",
      "s",
      "cl100k_base",
    ],
  );
});

const answer = (text: string, rest: object = {}): Reply => (
  { kind: "answer", text, finishReason: "stop", latencyMs: 1, attempts: 1, ...rest }
);

function outcomesOf(replies: readonly Reply[], rest: object = {}): Record<string, number> {
  const asked = { task: "vt", length: 4096, references: ["A"], promptTokens: 4000, settings: {} };
  const records = replies.map((reply, index) => record(reply, { ...asked, index, ...rest }));
  const outcomes = replyOutcomes(scoreRecords(records));
  return Object.fromEntries(outcomes.filter(({ count }) => count > 0).map(({ outcome, count }) => [outcome, count]));
}

Deno.test.each([
  ["an answer", answer("A"), { answered: 1 }],
  ["a failed call, which is no answer and not empty", FAILED, { "failed call": 1 }],
  ["an empty reply, which is an answer", answer(" \n"), { answered: 1, "empty reply": 1 }],
  ["a reply at its budget", answer("A", { finishReason: "length" }), { answered: 1, "cut off at the answer room": 1 }],
  ["a count below ours, as another tokenizer gives", answer("A", { promptTokens: 2700 }), { answered: 1 }],
  ["a prompt that the server did not count", answer("A", { promptTokens: 0 }), { answered: 1 }],
] as [string, Reply, Record<string, number>][])("replyOutcomes() counts %s", (_name, reply, want) => {
  deepEqual(outcomesOf([reply]), want);
});

Deno.test("replyOutcomes() says why a reply has no score", () => {
  const outcomes = replyOutcomes(scoreRecords([record("A", { references: [] })]));
  match(outcomes.at(-1)!.means, /of the first: nothing to score: there are no references$/);
});

Deno.test("replyOutcomes() counts prompts that the server cut", () => {
  const half = answer("A", { promptTokens: 2048 });
  deepEqual(outcomesOf([half, half]), { answered: 2, "prompt cut by the server": 2 });
});

Deno.test("replyOutcomes() counts a reply of which nothing can be read", () => {
  const want = { answered: 1, "could not be read": 1 };
  deepEqual(outcomesOf([answer("no idea")], { scoring: "sum", references: ["7"] }), want);
});

Deno.test("replyOutcomes() names the places with most of a kind first, and how many more there are", () => {
  const places = [["vt", 4096], ["cwe", 4096], ["fwe", 4096], ["vt", 8192], ["cwe", 4096]] as const;
  const records = places.map(([task, length]) => record(FAILED, { task, length }));
  const [answered, failed] = replyOutcomes(scoreRecords(records));
  equal(failed?.where, "cwe at 4096 (2), vt at 4096 (1), fwe at 4096 (1) and 1 more");
  equal(failed?.share, 100);
  equal(answered?.where, "");
});

Deno.test("overviewTable() and outcomeTable() keep what names hold from being markup", () => {
  const options = { title: "Asked", origin: "measured", n: 1 } as const;
  ok(overviewTable([{ what: "Model", text: "<i>" }], options).html.includes("&lt;i&gt;"));
  const outcome = { outcome: "failed call", means: "in no score", count: 2, share: 12.34, where: "" };
  match(outcomeTable([outcome], options).text, /failed call +2 +12\.3 +in no score +–/);
});
