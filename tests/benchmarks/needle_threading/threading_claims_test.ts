import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { openThreadingPublished, THREADING_CLAIMS } from "@/lib/benchmarks/needle_threading/mod.ts";
import {
  readThreadingPublished,
  THREADING_FILES,
  type ThreadingTexts,
} from "@/lib/benchmarks/needle_threading/published.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openThreadingPublished();
const checked = checkClaims(THREADING_CLAIMS, { published, gpt4oPairTokens: 49.5 });

Deno.test("openThreadingPublished() reads all rows of the tables", () => {
  const counts = [published.scores, published.limits, published.repeats, published.contexts, published.threadSafety];
  deepEqual(counts.map((rows) => rows.length), [783, 75, 660, 20, 6]);
  // Table 3, the first cell of LLaMA 3.1 8b, and its limit in Table 2.
  const cell = published.scores.find(({ table, model }) => table === 3 && model === "LLaMA 3.1 8b");
  deepEqual(cell, { table: 3, task: "single_needle", model: "LLaMA 3.1 8b", length: 1200, score: 96.4 });
  const limit = published.limits.find(({ model, task }) => model === "LLaMA 3.1 8b" && task === "single_needle");
  deepEqual(limit, { model: "LLaMA 3.1 8b", task: "single_needle", supported: 214, effective: 14, percent: 7 });
});

Deno.test("openThreadingPublished() has scores of single needles that are whole 55ths, where five haystacks were asked", () => {
  const repeats = new Map(
    published.repeats.filter(({ task }) => task === "single_needle")
      .map(({ model, length, repeats: count }) => [`${model} ${length}`, count]),
  );
  for (const { task, model, length, score } of published.scores) {
    if (task !== "single_needle" || repeats.get(`${model} ${length}`) !== 5) continue;
    const right = Math.round(score * 0.55);
    equal((100 * right / 55).toFixed(1), score.toFixed(1), `${model} at ${length}`);
  }
});

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

Deno.test("readThreadingPublished() names file, line and column of what is wrong", async () => {
  const texts = Object.fromEntries(
    await Promise.all(
      THREADING_FILES.map(async (file) =>
        [file, await Deno.readTextFile(new URL(`../../../data/published/${file}`, import.meta.url))] as const
      ),
    ),
  ) as ThreadingTexts;
  const file = "needle_threading_effective_limits.csv";
  throws(() => readThreadingPublished({ ...texts, [file]: texts[file].replace(",315,13", ",315,130") }), {
    name: "SyntaxError",
    message:
      `Cannot read ${file} as line 2, column "percent_of_limit" must be a number from 0 to 100: current value is "130"`,
  });
});

Deno.test("openThreadingPublished() names the file that is missing", async () => {
  await rejects(openThreadingPublished(new URL("../../analysis/threading/nowhere/", import.meta.url)), {
    message: /^Cannot open the published tables as needle_threading_scores_long\.csv must be there/,
  });
});
