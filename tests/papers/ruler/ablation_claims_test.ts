import { deepEqual, equal, match, ok } from "node:assert/strict";
import { ABLATION_CLAIMS, ABLATION_RUN_CLAIMS } from "@/lib/papers/ruler/ablation_claims.ts";
import { ablationLines, ablationPanels } from "@/lib/papers/ruler/ablations.ts";
import type { ScoreLine } from "@/lib/papers/ruler/score_lines.ts";
import { openMeasured } from "@/lib/records/mod.ts";
import { checkRunClaims } from "@/lib/reports/mod.ts";
import { checkClaims, type CheckedClaim } from "@/lib/statistics/mod.ts";
import { makeTasks, readStudyFile } from "@/lib/studies/mod.ts";

const TASKS = makeTasks(await readStudyFile("data/studies/03-ablations.yaml"));

function checked(lines: readonly ScoreLine[], id: string): CheckedClaim {
  return checkClaims(ABLATION_CLAIMS, lines).find((claim) => claim.id === id)!;
}

/** A line at 4K and 256K, its scores with an interval of one point on both sides. */
function line(panel: string, series: string, ...scores: readonly number[]): ScoreLine {
  const points = scores.map((score, at) => ({
    length: scores.length - at === 1 ? 262_144 : 4096,
    score,
    low: score - 1,
    high: score + 1,
  }));
  return { panel, series, points };
}

Deno.test("ABLATION_CLAIMS are not decided by one sample a point", () => {
  const panels = ablationPanels(TASKS);
  const point = { n: 1, score: 100, low: 2.5, high: 100, failed: 0, noAnswer: 0 };
  const rows = panels.flatMap(({ series }) => series)
    .flatMap(({ task }) => [4096, 131_072, 262_144].map((length) => ({ task, length, ...point })));
  for (const { id, verdict, observed } of checkClaims(ABLATION_CLAIMS, ablationLines(rows, panels))) {
    equal(verdict, "cannot tell", `${id}: ${observed}`);
    ok(!/NaN|Infinity|undefined/.test(observed), observed);
  }
});

Deno.test("ABLATION_CLAIMS take about 40 points for 30 to 50, no fewer and no more", () => {
  const verdictOf = (score: number) =>
    checked([line("keys", "#K=1", 99), line("keys", "#K=FULL", score)], "R13").verdict;
  deepEqual([59, 80, 40, 69].map(verdictOf), ["holds", "fails", "fails", "cannot tell"]);
});

Deno.test("ABLATION_CLAIMS decide no loss between two scores at the floor", () => {
  equal(checked([line("queries", "#Q=1", 1), line("queries", "#Q=8", 1)], "R15").verdict, "cannot tell");
  equal(checked([line("values", "#V=1", 1, 1), line("values", "#V=8", 1, 1)], "R16").verdict, "cannot tell");
});

Deno.test("ABLATION_CLAIMS compare the most values with one at the longest length that both have", () => {
  const found = checked([line("values", "#V=1", 90, 80), line("values", "#V=4", 90, 60)], "R16");
  equal(found.verdict, "holds");
  match(found.observed, /At 256K #V=1 scores 80\.0 and #V=4 60\.0: a loss of 20\.0/);
});

Deno.test("ABLATION_CLAIMS judge needles of other forms by two forms or more", () => {
  const types = [line("needle type", "Vanilla NIAH", 99), line("needle type", "K=W, V=U", 80)];
  equal(checked(types, "R12-types").isAsked, false);
  equal(checked([...types, line("needle type", "K=U, V=U", 90)], "R12-types").verdict, "holds");
});

Deno.test("ABLATION_CLAIMS need both chains and hops", () => {
  const hops = [line("hops", "chain=1, hop=4", 90, 80), line("hops", "chain=1, hop=10", 70, 60)];
  const chains = [line("chains", "chain=2, hop=2", 90, 80), line("chains", "chain=4, hop=2", 70, 60)];
  equal(checked(hops, "R19").isAsked, false);
  equal(checked([...hops, ...chains], "R19").verdict, "holds");
  equal(
    checked([...hops, ...chains.toReversed().map((each, at) => ({ ...each, series: chains[at]!.series }))], "R19")
      .verdict,
    "fails",
  );
});

Deno.test("ABLATION_RUN_CLAIMS are the same claims, decided on a run by the knobs that it varied", async () => {
  deepEqual(ABLATION_RUN_CLAIMS.map(({ id }) => id), ABLATION_CLAIMS.map(({ id }) => id));
  const [run] = await openMeasured({ benchmark: "ruler", model: "gemma-3-270m" });
  const found = checkRunClaims({ runClaims: ABLATION_RUN_CLAIMS }, [run!]);
  deepEqual(found.filter(({ isAsked }) => isAsked !== false).map(({ id }) => id), ["R14", "R16"]);
  ok(found.every(({ expected }) => expected === undefined));
});
