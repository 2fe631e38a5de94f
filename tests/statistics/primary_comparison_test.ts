import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { cases } from "../_cases.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import { comparePairs, type PairedRow, type PairedSample } from "@/lib/statistics/mod.ts";
import { adjustFamilies, adjustPValues, guardedP } from "@/lib/statistics/permutation_tests.ts";

const DRAWS = Number(Deno.env.get("FATHOM_DRAWS") ?? cases(40, 200));
/** Three standard errors of a share near a bound. */
const chance = (share: number, draws = DRAWS): number => 3 * Math.sqrt(share * (1 - share) / draws);

/** How the scores of the baseline and of the other model differ in one pair. */
type Law = (draw: Draw) => readonly [baseline: number, other: number];

/** Differences of mean 0: a loss is rare and large, a gain frequent and small. */
const rareLosses = (loss: number, gain: number): Law => (draw) => {
  const luck = draw();
  if (luck < loss) return [1, 0];
  return luck < loss + gain ? [0.5, 0.5 + loss / gain] : [0.5, 0.5];
};

/** Yes/no scores of which some share is gained and as much lost. */
const evenFlips = (share: number): Law => (draw) => {
  const luck = draw();
  if (luck < share) return [1, 0];
  return luck < 2 * share ? [0, 1] : [1, 1];
};

type NamedLaw = readonly [name: string, samples: number, law: Law];

const NO_DIFFERENCE: readonly NamedLaw[] = [
  ["yes/no, 10% gained and 10% lost", 10, evenFlips(0.1)],
  ...cases<NamedLaw[]>([], [
    // In one of 60 tasks at most one loss is drawn, so nearly every sign is alike, and the 95% interval excludes 0.
    ["losses of 1 with 2%, gains of 0.1 with 20%", 150, rareLosses(0.02, 0.2)],
    ["losses of 1 with 5%, gains of 0.25 with 20%", 20, rareLosses(0.05, 0.2)],
  ]),
];

const TASKS = 12;

function drawRun(law: Law, samples: number, draw: Draw): readonly PairedSample[] {
  return Array.from({ length: TASKS * samples * 2 }, (_, at) => {
    const [baseline, other] = law(draw);
    return {
      task: `task ${at % TASKS}`,
      length: 4096 * (1 + Math.floor(at / TASKS) % 2),
      third: null,
      baseline,
      other,
    };
  });
}

Deno.test.each([...NO_DIFFERENCE])(
  "comparePairs() shows a difference that is not there in any of its rows in at most 5%% of draws: %s",
  (name, samples, law) => {
    const draw = stream("no difference", name);
    const wrong = { all: 0, task: 0 };
    // Graded scores take ten times as long.
    const runs = samples > 10 ? Math.ceil(DRAWS / 10) : DRAWS;
    for (let run = 0; run < runs; run++) {
      const models = [drawRun(law, samples, draw)];
      const isShown = (by?: readonly PairedRow["by"][]): boolean =>
        comparePairs(models, by === undefined ? { draws: 399 } : { by, draws: 399 }).rows.flat()
          .some(({ higher }) => higher !== null);
      if (isShown()) wrong.all++;
      if (isShown(["task"])) wrong.task++;
    }
    ok(
      Math.max(wrong.all, wrong.task) / runs <= 0.05 + chance(0.05, runs),
      `${wrong.all} and ${wrong.task} of ${runs}`,
    );
  },
);

Deno.test("comparePairs() of a task with one large loss and many small gains needs an interval at the corrected level", () => {
  const pairs = (task: string, [losses, gains, equal]: readonly [number, number, number]): readonly PairedSample[] => {
    const of = (baseline: number, other: number) => ({ task, length: 4096, third: null, baseline, other });
    return [
      ...Array<PairedSample>(losses).fill(of(1, 0)),
      ...Array<PairedSample>(gains).fill(of(0.5, 0.6)),
      ...Array<PairedSample>(equal).fill(of(0.5, 0.5)),
    ];
  };
  const shown = (others: number) => {
    const tasks = Array.from({ length: others }, (_, at) => pairs(`equal ${at}`, [0, 0, 20]));
    const [row] = comparePairs([[...pairs("uneven", [1, 60, 239]), ...tasks.flat()]], { by: ["task"] }).rows[0]!;
    ok(row!.low > 0);
    return row!.higher;
  };
  deepEqual([0, 11].map(shown), ["other", null]);
});

Deno.test("comparePairs() shows a difference in one task of a model that does not differ otherwise in at most 5% of draws of the other rows", () => {
  // The first task loses, so "all samples" may be shown; the other tasks do not differ.
  const draw = stream("one task");
  const wrong = Array.from({ length: DRAWS }, () => {
    const pairs = drawRun(evenFlips(0.05), 10, draw).map((pair) =>
      pair.task === "task 0" ? { ...pair, baseline: 1, other: 0 } : pair
    );
    const [rows] = comparePairs([pairs], { by: ["all", "task"], draws: 399 }).rows;
    return rows!.slice(2).some(({ higher }) => higher !== null);
  }).filter(Boolean).length;
  ok(wrong / DRAWS <= 0.05 + chance(0.05), `${wrong} of ${DRAWS}`);
});

Deno.test("comparePairs() gives the other rows no p-value below that of all samples, and says so", () => {
  const pairs = (task: string, gains: number, losses: number): readonly PairedSample[] =>
    Array.from({ length: gains + losses }, (_, at) => (
      { task, length: 4096, third: null, baseline: Number(at >= gains), other: Number(at < gains) }
    ));
  // One task gains what the other loses: each alone would be shown, all samples are not.
  const { rows: [rows], corrected } = comparePairs([[...pairs("a", 10, 0), ...pairs("b", 0, 10)]], {
    by: ["all", "task"],
  });
  deepEqual(rows!.map(({ p, adjusted, higher }) => [p < 0.01, adjusted > 0.99, higher]), [
    [false, true, null],
    [true, true, null],
    [true, true, null],
  ]);
  equal(
    corrected,
    "all samples are the primary comparison; p-values of the other 2 are corrected for each other (Holm), and never below that of all samples",
  );
  const alone = comparePairs([[...pairs("a", 10, 0), ...pairs("b", 0, 10)]], { by: ["task"] });
  deepEqual(alone.rows[0]!.map(({ higher }) => higher), ["other", "baseline"]);
});

const share = fc.double({ min: 0, max: 1, noNaN: true });

Deno.test("adjustFamilies() of single p-values is Holm's correction, and of one family leaves it as it is", () => {
  fc.assert(fc.property(fc.array(share, { minLength: 1, maxLength: 8 }), (values) => {
    const single = adjustFamilies(values.map((p) => [p])).flat();
    const holm = adjustPValues(values);
    ok(single.every((p, at) => Math.abs(p - holm[at]!) < 1e-12));
    deepEqual(adjustFamilies([values]), [values]);
  }));
});

Deno.test("adjustFamilies() passes the level of a family on once all of it is rejected", () => {
  // The first family ends at twice 0.02; then the second has the whole level, so 0.045 stays.
  deepEqual(adjustFamilies([[0.01, 0.02], [0.045, 0.9]]), [[0.02, 0.04], [0.045, 0.9]]);
  // With a family that is never rejected, each has half of it.
  deepEqual(adjustFamilies([[0.01, 0.9], [0.03, 0.8]]), [[0.02, 1], [0.06, 1]]);
});

Deno.test("guardedP() is the larger of a test's p-value and the least chance of error at which the interval excludes 0", () => {
  const excludedFrom = (least: number) => (level: number) => ({ low: 1 - level >= least ? 1 : -1, high: 2 });
  equal(guardedP(0.03, excludedFrom(0.01)), 0.03);
  // It is rounded up by at most a tenth.
  const guarded = guardedP(0.001, excludedFrom(0.02));
  ok(guarded >= 0.02 && guarded < 0.0225, `${guarded}`);
  // A test that shows nothing does not need the interval.
  equal(guardedP(0.06, () => ({ low: -1, high: 1 })), 0.06);
  ok(guardedP(0.01, () => ({ low: -1, high: 1 })) > 0.9);
});
