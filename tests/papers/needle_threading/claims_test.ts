import { equal, match } from "node:assert/strict";
import { THREADING_CLAIMS } from "@/lib/papers/needle_threading/claims.ts";
import { openThreadingPublished } from "@/lib/papers/needle_threading/published.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openThreadingPublished();
const checked = checkClaims(THREADING_CLAIMS, { published, gpt4oPairTokens: 49.5 });

Deno.test("THREADING_CLAIMS come out as the printed numbers say, each in its kind", () => {
  const ids = (kind: string, verdict: string): string =>
    checked.filter((claim) => claim.kind === kind && claim.verdict === verdict).map(({ id }) => id).join(" ");
  equal(ids("paper", "holds"), "N1 N2 N3 N5 N6 N7 N8 N9 N11 N12 N13 N14 N20 N22 N23");
  equal(ids("paper", "fails"), "");
  equal(ids("paper", "cannot tell"), "N10 N10-insight N17 N18 N19");
  equal(ids("inconsistency", "fails"), "N4 N5b");
  equal(ids("check", "holds"), "N9b N15 N16 N21");
  equal(checked.length, 26);
  for (const { id, verdict, expected } of checked) equal(verdict, expected, id);
});

Deno.test("THREADING_CLAIMS say the numbers that they rest on", () => {
  const observed = (id: string): string => checked.find((claim) => claim.id === id)!.observed;
  // 2 / 0.307 = 6.51.
  match(observed("N4"), /6\.5 times/);
  match(observed("N8"), /All 17 scores of the two are 100/);
  match(observed("N5b"), /64\.7 tokens a pair/);
  match(
    observed("N9"),
    /6 of 7 models .* Gemini 1\.5 Flash >, 257, 301; .* Not so: LLaMA 3\.1 8b\. The other 8 models/,
  );
  match(observed("N9b"), /2 of 5 models: Gemini 1\.5 Flash, Gemini 1\.5 Pro/);
  match(
    observed("N10"),
    /Claude 3\.5 Sonnet 66\.7 to 59\.8 .* GPT-4o 64\.0 to 29\.5 .* 1 of 3 lose at most 10 points, 2 more/,
  );
  match(
    observed("N12"),
    /Gemini 1\.5 Pro 349 to 344; Jamba 1\.5 Large > to 127; .* 4 of 5 keep theirs; of the 9 other/,
  );
  // GPT-4o and Jamba find every single needle; LLaMA 405b finds more of several needles at 128K than at 1.2K.
  match(observed("N20"), /^78 of 81 rows .* GPT-4o \(single needle\), LLaMA 3\.1 405b \(multiple needles\)/);
  match(observed("N21"), /^5 of 6 fit into 2 million tokens/);
  match(observed("N22"), /49\.3 tokens in o200k_base .* 70\.0 in Mistral 7B/);
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
  const safety = (change: object) => {
    const threadSafety = published.threadSafety.map((row) => ({ ...row, ...change }));
    const drawn = new Set(threadSafety.map(({ model }) => model));
    const scores = published.scores.filter(({ model }) => drawn.has(model));
    return verdictOf("N10", { ...base, published: { ...published, threadSafety, scores } } as never);
  };
  equal(safety({ score: 60, low: 55, high: 65 }), "holds");
  equal(safety({ low: 0, high: 100 }), "cannot tell", "two lines fall, but their bands would be as wide as all scores");
  const level = published.contours.map((point) => ({ ...point, limit: point.at === 50 ? 300 : 100, side: "under" }));
  equal(verdictOf("N9", { ...base, published: { ...published, contours: level } } as never), "fails");
  const falling = published.contours.map((point) => ({ ...point, limit: 300 - 10 * point.at, side: "under" }));
  equal(verdictOf("N12", { ...base, published: { ...published, contours: falling } } as never), "fails");
  const whole = published.limits.map((row) => ({ ...row, effective: row.supported, percent: 100 }));
  equal(verdictOf("N11", { ...base, published: { ...published, limits: whole } } as never), "fails");
  const rising = published.scores.map((row) => row.length === 1200 ? { ...row, score: 95 } : { ...row, score: 99 });
  equal(verdictOf("N7", { ...base, published: { ...published, scores: rising } } as never), "fails");
  equal(verdictOf("N20", { ...base, published: { ...published, scores: rising } } as never), "fails");
  const once = published.repeats.map((row) => ({ ...row, repeats: 1 }));
  equal(verdictOf("N14", { ...base, published: { ...published, repeats: once } } as never), "fails");
  const tripled = published.contexts.map((bar) => bar.name === "Moby Dick" ? { ...bar, millionTokens: 0.42 } : bar);
  equal(verdictOf("N4", { ...base, published: { ...published, contexts: tripled } } as never), "holds");
});
