import { deepEqual, equal, match, ok } from "node:assert/strict";
import { scoresOf } from "./_ablation_scores.ts";
import { ABLATION_CLAIMS, ABLATION_RUN_CLAIMS } from "@/lib/papers/ruler/ablation_claims.ts";
import { openMeasured } from "@/lib/records/mod.ts";
import { checkRunClaims } from "@/lib/reports/mod.ts";
import { checkClaims, type CheckedClaim, type Evidence } from "@/lib/statistics/mod.ts";
import { makeTasks, readStudyFile } from "@/lib/studies/mod.ts";

function checked(rows: readonly Evidence[], id: string): CheckedClaim {
  return checkClaims(ABLATION_CLAIMS, rows).find((claim) => claim.id === id)!;
}

Deno.test("ABLATION_CLAIMS are not decided by one sample a point", async () => {
  const tasks = makeTasks(await readStudyFile("data/studies/03-ablations.yaml")).map(({ name }) => name);
  const rows = tasks.flatMap((task) => scoresOf(task, 100, 100)).map((row) => ({ ...row, low: 2.5, high: 100 }));
  for (const { id, verdict, observed } of checkClaims(ABLATION_CLAIMS, rows)) {
    equal(verdict, "cannot tell", `${id}: ${observed}`);
    ok(!/NaN|Infinity|undefined/.test(observed), observed);
  }
});

Deno.test("ABLATION_CLAIMS take about 40 points for 30 to 50, no fewer and no more", () => {
  const verdictOf = (score: number) =>
    checked([...scoresOf("niah_single_2", 99), ...scoresOf("niah_multikey_2", score)], "R13").verdict;
  deepEqual([59, 80, 40, 69].map(verdictOf), ["holds", "fails", "fails", "cannot tell"]);
});

Deno.test("ABLATION_CLAIMS decide no loss between two scores at the floor", () => {
  equal(checked([...scoresOf("niah_single_2", 1), ...scoresOf("niah_queries_8", 1)], "R15").verdict, "cannot tell");
  equal(
    checked([...scoresOf("niah_single_2", 1, 1), ...scoresOf("niah_values_8", 1, 1)], "R16").verdict,
    "cannot tell",
  );
});

Deno.test("ABLATION_CLAIMS compare the most values with one at the longest length that both have", () => {
  const found = checked([...scoresOf("niah_single_2", 90, 80), ...scoresOf("niah_multivalue", 90, 60)], "R16");
  equal(found.verdict, "holds");
  match(found.observed, /At 256K #V=1 scores 80\.0 and #V=4 60\.0: a loss of 20\.0/);
});

Deno.test("ABLATION_CLAIMS judge needles of other forms by two forms or more", () => {
  const types = [...scoresOf("niah_single_2", 99), ...scoresOf("niah_single_3", 80)];
  equal(checked(types, "R12-types").isAsked, false);
  equal(checked([...types, ...scoresOf("niah_uuids_uuids", 90)], "R12-types").verdict, "holds");
});

Deno.test("ABLATION_CLAIMS need both chains and hops", () => {
  const hops = [...scoresOf("vt", 90, 80), ...scoresOf("vt_1_chains_10_hops", 70, 60)];
  const chains = [...scoresOf("vt_2_chains", 90, 80), ...scoresOf("vt_4_chains_2_hops", 70, 60)];
  equal(checked(hops, "R19").isAsked, false);
  equal(checked([...hops, ...chains], "R19").verdict, "holds");
  equal(
    checked([...hops, ...scoresOf("vt_2_chains", 70, 60), ...scoresOf("vt_4_chains_2_hops", 90, 80)], "R19")
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
