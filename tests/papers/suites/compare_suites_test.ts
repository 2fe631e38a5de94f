import { deepEqual, equal, match, ok } from "node:assert/strict";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { checkStudy, compareRuns, openMeasured, runStudy, simulatedModel } from "@/lib/mod.ts";
import {
  bestOfSuite,
  suitePairs,
  suitePairTable,
  type SuiteScore,
  suiteScores,
  suiteSeparations,
  withEnoughPairs,
} from "@/lib/papers/suites/compare_suites.ts";
import { inFolder } from "../../_folder.ts";

const scored = (suite: string, length: number, scores: readonly number[], reach = 4): SuiteScore[] =>
  scores.map((score, at) => ({
    ...{ suite, length, score, n: 100, model: `m${at}` },
    ...{ low: Math.max(0, score - reach), high: Math.min(100, score + reach) },
  }));

Deno.test("suiteSeparations() counts the pairs of models whose difference is beyond chance, by suite and length", () => {
  // 90 and 80, 80 and 79: differences of 10, 1 and 11 with an interval of ±5.7.
  const [needles, chains, ...others] = suiteSeparations([
    ...scored("needles", 4096, [99, 98, 97]),
    ...scored("chains", 4096, [90, 80, 79]),
    ...scored("alone", 4096, [50]),
  ]);
  deepEqual(others, []);
  deepEqual([needles!.suite, needles!.apart, needles!.pairs, needles!.share], ["needles", 0, 3, 0]);
  deepEqual([chains!.apart, chains!.lowest, chains!.highest], [2, 79, 90]);
  // Four samples have no interval; published scores of unknown number have the one that is printed.
  const apartOf = (n: number | null): number =>
    suiteSeparations(scored("few", 4096, [90, 10]).map((score) => ({ ...score, n })))[0]!.apart;
  deepEqual([4, 5, null].map(apartOf), [0, 1, 1]);
});

Deno.test("suiteScores() reads one run's tasks by their suites", async () => {
  await inFolder(async (folder) => {
    const study = checkStudy({ tasks: ["niah_single_1", "niah_multikey_3", "cdme_zh"], lengths: [1024], samples: 8 });
    const { replies, manifest } = await runStudy(study, { name: "a", model: simulatedModel("gpt-4"), folder });
    const runs = [{ replies, manifest }];
    const scores = suiteScores(runs, BENCHMARKS);
    deepEqual(scores.map(({ suite, n, length }) => [suite, n, length]), [["RULER", 16, 1024], [
      "OpenCompass CDME",
      8,
      1024,
    ]]);
  });
});

Deno.test("bestOfSuite() keeps models, and withEnoughPairs() lengths with ten pairs of them", () => {
  const scores = [
    ...scored("a", 1024, [90, 80, 70]),
    ...scored("a", 2048, [90, 80]),
    ...scored("b", 1024, [10, 20, 30]),
  ];
  deepEqual(bestOfSuite(scores, "a", 1).map(({ suite, model }) => suite + model), ["am0", "am0", "bm0", "bm1", "bm2"]);
  const many = [...scored("a", 1024, [90, 80, 70, 60, 50]), ...scored("a", 2048, [90, 80, 70, 60])];
  deepEqual(withEnoughPairs(suiteSeparations(many)).map(({ length, pairs }) => [length, pairs]), [[1024, 10]]);
});

Deno.test("suitePairs() separates models by the paired test of their shared samples, as compareRuns() does", async () => {
  const runs = await openMeasured({ benchmark: "babilong" });
  const [pair, ...others] = suitePairs(runs, BENCHMARKS);
  equal(others.length, 0);
  deepEqual([pair!.suite, pair!.n], ["BABILong", 625]);
  // Their intervals overlap at each length, so that no length separates them by itself.
  equal(pair!.higher, "other");
  ok(suiteSeparations(suiteScores(runs, BENCHMARKS)).every(({ apart }) => apart === 0));
  const { others: [compared] } = await compareRuns(runs, { by: ["all"] });
  if (compared !== undefined) equal(pair!.difference.toFixed(6), compared.rows[0]!.difference.toFixed(6));
  match(
    suitePairTable([pair!], { title: "x", n: "all", origin: "measured" }).text,
    /^BABILong +gemma-3-270m → smollm2-135m-instruct +625 +7\.1 \[2\.7, 11\.4\] +smollm2-135m-instruct$/m,
  );
});
