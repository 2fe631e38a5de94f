import { deepEqual } from "node:assert/strict";
import { readRealText, testOnRealData } from "../../_real_data.ts";
import { NOLIMA_PAPER } from "@/lib/papers/nolima/paper.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";
import { checkRunClaims } from "@/lib/reports/mod.ts";
import { readCsv } from "@/lib/statistics/mod.ts";

const TABLE = "../field/tables/nolima_table1.csv";

testOnRealData("the published scores of NoLiMa are those of the table that they were read into", {
  reads: TABLE,
  async fn(): Promise<void> {
    const [, ...rows] = readCsv(readRealText(TABLE).replace(/^#.*\n/, ""), TABLE).map(({ fields }) => fields);
    const wanted = rows.flatMap(([model, , effective, base, ...scores]) =>
      scores.flatMap((score, at) => score === "" ? [] : [[model, effective, base, 1024 * 2 ** at, score].join()])
    );
    const read = (await openEvidence("nolima")).map(({ model, knobs, length, score }) =>
      [model, knobs["effective"], knobs["base"], length, score.toFixed(1)].join()
    );
    deepEqual(read, wanted);
  },
});

const TASKS = { none: { options: { match: "none" } }, literal: { options: { match: "literal" } } };

/** The verdicts on a made model, which finds the first so many of 40 people without and with a literal match at each length. */
function verdicts(found: Readonly<Record<number, readonly [none: number, literal: number]>>): readonly string[] {
  const replies = Object.entries(found).flatMap(([length, counts]) =>
    (["none", "literal"] as const).flatMap((task, at) =>
      Array.from({ length: 40 }, (_, index): ScoredReply => ({
        ...{ task, length: Number(length), failed: false, noAnswer: false, score: null, penalised: null },
        value: index < counts[at]! ? 1 : 0,
        record: { index, seed: "1" } as unknown as ScoredReply["record"],
      }))
    )
  );
  return checkRunClaims(NOLIMA_PAPER, [{ replies, manifest: { tasks: TASKS } }]).map(({ verdict }) => verdict);
}

Deno.test("claims on runs hold for a model that needs a literal match, and fail for one that does not", () => {
  deepEqual(verdicts({ 256: [36, 40], 1024: [38, 40], 8192: [4, 36] }), ["holds", "holds", "holds"]);
  deepEqual(verdicts({ 256: [4, 4], 1024: [4, 4], 8192: [36, 16] }), ["fails", "fails", "fails"]);
  deepEqual(verdicts({ 256: [20, 21], 1024: [20, 21], 8192: [13, 14] }).slice(1), ["cannot tell", "cannot tell"]);
  deepEqual(verdicts({ 2048: [30, 30], 8192: [10, 30] }).slice(0, 2), ["holds", "cannot tell"]);
});
