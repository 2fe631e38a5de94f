import { equal, match } from "node:assert/strict";
import { openThreadingPublished, THREADING_CLAIMS } from "@/lib/benchmarks/needle_threading/mod.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openThreadingPublished();
const checked = checkClaims(THREADING_CLAIMS, { published, gpt4oPairTokens: 49.5 });

Deno.test("THREADING_CLAIMS come out as the printed numbers say, each in its kind", () => {
  const ids = (kind: string, verdict: string): string =>
    checked.filter((claim) => claim.kind === kind && claim.verdict === verdict).map(({ id }) => id).join(" ");
  equal(ids("paper", "holds"), "N1 N2 N3 N5 N6 N7 N8 N11 N13 N14");
  equal(ids("paper", "fails"), "");
  equal(ids("paper", "cannot tell"), "N9 N10 N12");
  equal(ids("inconsistency", "fails"), "N4 N5b");
  equal(ids("check", "holds"), "N15 N16");
  equal(checked.length, 17);
});

Deno.test("THREADING_CLAIMS say the numbers that they rest on", () => {
  const observed = (id: string): string => checked.find((claim) => claim.id === id)!.observed;
  // 2 / 0.307 = 6.51.
  match(observed("N4"), /6\.5 times/);
  match(observed("N8"), /All 17 scores of the two are 100/);
  match(observed("N5b"), /64\.7 tokens a pair/);
  match(observed("N10"), /3 of the 17 models; .* Claude 3\.5 Sonnet 6\.0, Gemini 1\.5 Pro 33\.0, GPT-4o 35\.0/);
  match(
    observed("N11"),
    /15 of 15 models\. .* single needle 8, .* multiple needles 6, .* conditional needles 15, at best 39%/,
  );
  match(observed("N14"), /12 of 17 models .* 660 cells 444 have 5, 184 have 1, and 32 have 2 to 4/);
  match(observed("N15"), /123 of 123 .* 0\.08 points/);
});

Deno.test("THREADING_CLAIMS fail where the numbers are others", () => {
  const verdictOf = (id: string, evidence: Parameters<typeof checkClaims<never>>[1]): string =>
    checkClaims(THREADING_CLAIMS.filter((claim) => claim.id === id), evidence)[0]!.verdict;
  const base = { published, gpt4oPairTokens: 49.5 };
  equal(verdictOf("N5", { ...base, gpt4oPairTokens: 64 } as never), "fails");
  const worse = published.scores.map((row) => row.model === "GPT-4o" ? { ...row, score: 90 } : row);
  equal(verdictOf("N8", { ...base, published: { ...published, scores: worse } } as never), "fails");
  // Three models, read by eye, cannot stand for many of seventeen, whatever they do.
  const flat = published.threadSafety.map((row) => ({ ...row, score: 60 }));
  equal(verdictOf("N10", { ...base, published: { ...published, threadSafety: flat } } as never), "cannot tell");
  const whole = published.limits.map((row) => ({ ...row, effective: row.supported, percent: 100 }));
  equal(verdictOf("N11", { ...base, published: { ...published, limits: whole } } as never), "fails");
  const rising = published.scores.map((row) => row.length === 1200 ? { ...row, score: 95 } : { ...row, score: 99 });
  equal(verdictOf("N7", { ...base, published: { ...published, scores: rising } } as never), "fails");
  const once = published.repeats.map((row) => ({ ...row, repeats: 1 }));
  equal(verdictOf("N14", { ...base, published: { ...published, repeats: once } } as never), "fails");
  const tripled = published.contexts.map((bar) => bar.name === "Moby Dick" ? { ...bar, millionTokens: 0.42 } : bar);
  equal(verdictOf("N4", { ...base, published: { ...published, contexts: tripled } } as never), "holds");
});
