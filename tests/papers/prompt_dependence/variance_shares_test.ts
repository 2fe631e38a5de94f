import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import type { VarianceShares } from "@/lib/papers/prompt_dependence/mod.ts";
import { type FactorRow, varianceShares } from "@/lib/papers/prompt_dependence/variance_shares.ts";
import { shuffle, stream } from "@/lib/random/mod.ts";

/** Every combination of the levels' effects, repeated; `more` is added to each value. */
function design(
  effects: Readonly<Record<string, readonly number[]>>,
  { repeats = 1, more = () => 0 }: {
    readonly repeats?: number;
    readonly more?: (levels: Readonly<Record<string, number>>, repeat: number) => number;
  } = {},
): FactorRow[] {
  let rows: { readonly levels: Readonly<Record<string, number>>; readonly value: number }[] = [
    { levels: {}, value: 0 },
  ];
  for (const [name, ofLevels] of Object.entries(effects)) {
    rows = rows.flatMap(({ levels, value }) =>
      ofLevels.map((effect, level) => ({ levels: { ...levels, [name]: level }, value: value + effect }))
    );
  }
  return rows.flatMap(({ levels, value }) =>
    Array.from({ length: repeats }, (_, repeat) => ({ levels, value: value + more(levels, repeat) }))
  );
}

function sharesOf({ shares }: VarianceShares): Record<string, number | null> {
  return Object.fromEntries(
    shares.map(({ source, share }) => [source, share === null ? null : Math.round(share * 1e6) / 1e6]),
  );
}

Deno.test("varianceShares() of a table worked out by hand", () => {
  // Cell means 9, 5, 3, 3; each pair 1 above and 1 below. Mean 5; SS: a 2·(2·(7−5)²+2·(3−5)²) = 32, b 8 · 1 = 8,
  // a with b 8 · 1 = 8, within 8 · 1 = 8 with 4 degrees of freedom: mean square 2. Less 2 each: 30, 6, 6, and noise 7 · 2 = 14 of 56.
  const means = [[9, 5], [3, 3]] as const;
  const rows = design({ a: [0, 0], b: [0, 0] }, {
    repeats: 2,
    more: ({ a, b }, repeat) => means[a!]![b!]! + (repeat === 0 ? 1 : -1),
  });
  const { shares, repeats, missing } = varianceShares(rows, { factors: ["a", "b"], seed: "1" });
  const wanted = [["a", 30], ["b", 6], ["interactions", 6], ["noise", 14]] as const;
  deepEqual(
    shares.map(({ source, share }) => [source, share!.toFixed(9)]),
    wanted.map(([source, part]) => [source, (100 * part / 56).toFixed(9)]),
  );
  deepEqual([repeats, missing], [2, 0]);
});

Deno.test("varianceShares() of a sum of effects without noise are the effects' own variances", () => {
  const found = varianceShares(design({ a: [-1, 1], b: [-3, 0, 3], c: [0, 0] }, { repeats: 2 }), {
    factors: ["a", "b", "c"],
    seed: "1",
  });
  // Variances 1, 6 and 0 of 7.
  deepEqual(sharesOf(found), { a: 14.285714, b: 85.714286, c: 0, interactions: 0, noise: 0 });
  for (const { share, low, high } of found.shares) {
    ok(Math.abs(low! - share!) < 1e-9 && Math.abs(high! - share!) < 1e-9);
  }
});

Deno.test("varianceShares() tells what factors do only together", () => {
  const rows = design({ a: [0, 0], b: [0, 0] }, { repeats: 3, more: ({ a, b }) => (a === b ? 1 : 0) });
  deepEqual(sharesOf(varianceShares(rows, { factors: ["a", "b"], seed: "1" })), {
    a: 0,
    b: 0,
    interactions: 100,
    noise: 0,
  });
});

Deno.test("varianceShares() have no interactions where nothing is repeated, and no shares where nothing differs", () => {
  const draw = stream("single");
  const single = varianceShares(design({ a: [0, 1, 2], b: [0, 1, 2] }, { more: () => draw() }), {
    factors: ["a", "b"],
    seed: "1",
  });
  equal(single.shares[2]!.share, null);
  ok(single.shares[3]!.share! > 0);
  const same = varianceShares(design({ a: [0, 0], b: [0.7, 0.7] }, { repeats: 2 }), {
    factors: ["a", "b"],
    groups: { one: ["a"], other: ["b"] },
    seed: "1",
  });
  ok([...same.shares, ...same.groups].every(({ share, low, high }) => share === null && low === null && high === null));
  equal(same.lead, null);
});

Deno.test("varianceShares() add up to 100, lie in their intervals, and heed neither unit nor order of rows", () => {
  for (let round = 0; round < 20; round++) {
    const draw = stream("law", round);
    const effects = { a: [draw(), draw()], b: [draw(), draw(), draw()], c: [draw(), draw()] };
    const rows = design(effects, { repeats: 1 + round % 3, more: () => 0.5 * draw() });
    const options = { factors: ["a", "b", "c"], groups: { ab: ["a", "b"], c: ["c"] }, seed: "1", replicates: 40 };
    const found = varianceShares(rows, options);
    const total = found.shares.reduce((sum, { share }) => sum + (share ?? 0), 0);
    ok(Math.abs(total - 100) < 1e-9);
    const [a, b] = found.shares;
    ok(Math.abs(found.groups[0]!.share! - a!.share! - b!.share!) < 1e-9);
    ok(Math.abs(found.lead!.score - (found.groups[0]!.share! - found.groups[1]!.share!)) < 1e-9);
    for (const { share, low, high } of found.shares) ok(share === null || (low! >= 0 && low! <= high! && high! <= 100));
    const other = varianceShares(shuffle(draw, rows).map((row) => ({ ...row, value: 7 - 3 * row.value! })), options);
    for (const { source, share } of other.shares) {
      const twin = found.shares.find((one) => one.source === source)!.share;
      ok(twin === share || Math.abs(twin! - share!) < 1e-6, source);
    }
    deepEqual(varianceShares(rows, options), found);
  }
});

Deno.test("varianceShares() give a factor without effect no share on average, and find true shares, intervals holding them", () => {
  // True variances over the levels: a 2/3, b 1/4, c 0, noise 1 (uniform, √12 wide); of 1.9167.
  const truth = { a: 100 * (2 / 3) / (23 / 12), b: 100 * 0.25 / (23 / 12), c: 0, noise: 100 / (23 / 12) };
  const rounds = cases(40, 150);
  const sums = { a: 0, b: 0, c: 0, noise: 0 };
  const covered = { a: 0, b: 0, c: 0, noise: 0 };
  for (let round = 0; round < rounds; round++) {
    const draw = stream("truth", round);
    const rows = design({ a: [-1, 0, 1], b: [-0.5, 0.5], c: [0, 0, 0] }, {
      repeats: 4,
      more: () => Math.sqrt(12) * (draw() - 0.5),
    });
    const { shares } = varianceShares(rows, { factors: ["a", "b", "c"], seed: `${round}`, replicates: 200 });
    for (const { source, share, low, high } of shares) {
      if (!(source in truth)) continue;
      const name = source as keyof typeof truth;
      sums[name] += share! / rounds;
      if (low! - 1e-9 <= truth[name] && truth[name] <= high! + 1e-9) covered[name]++;
    }
  }
  for (const name of ["a", "b", "c", "noise"] as const) {
    ok(Math.abs(sums[name] - truth[name]) < cases(5, 2.5), `${name}: ${sums[name]} for ${truth[name]}`);
    ok(covered[name] >= cases(0.85, 0.9) * rounds, `${name}: ${covered[name]} of ${rounds}`);
  }
});

Deno.test("varianceShares() fill in what is missing from what is left", () => {
  const rows = design({ a: [-1, 1], b: [-3, 0, 3] }, { repeats: 2 });
  const options = { factors: ["a", "b"], seed: "1" };
  const whole = varianceShares(rows, options);
  const holed = varianceShares(rows.map((row, at) => at === 5 ? { ...row, value: null } : row), options);
  deepEqual(sharesOf(holed), sharesOf(whole));
  equal(holed.missing, 1);
  // Both rows of one combination: their values follow from the levels' effects.
  const empty = varianceShares(rows.map((row, at) => at === 4 || at === 5 ? { ...row, value: null } : row), options);
  ok(Math.abs(empty.shares[0]!.share! - whole.shares[0]!.share!) < 0.01);
  equal(empty.missing, 2);
});

const ROWS = design({ a: [0, 1], b: [0, 1] }, { repeats: 2 });
Deno.test.each(
  [
    ["no factor", ROWS, { factors: [] }, /there must be a factor with two levels or more: current value is none/],
    [
      "a factor of one level",
      ROWS.filter(({ levels }) => levels["a"] === 0),
      { factors: ["a"] },
      /two levels or more, and every row one of them: current value is "a"/,
    ],
    ["a factor that rows do not have", ROWS, { factors: ["z"] }, /current value is "z"/],
    [
      "a combination that is missing",
      ROWS.slice(2),
      { factors: ["a", "b"] },
      /every combination of a, b equally often: current value is 0 to 2 rows/,
    ],
    [
      "nothing to tell noise by",
      design({ a: [0, 1] }),
      { factors: ["a"] },
      /some rows must be left over to estimate the noise: current value is 2 rows/,
    ],
    [
      "too much missing",
      ROWS.map((row, at) => at < 2 ? { ...row, value: null } : row),
      { factors: ["a", "b"] },
      /at most a fifth of the values may be missing: current value is 2 of 8/,
    ],
    [
      "a group of an unknown factor",
      ROWS,
      { factors: ["a", "b"], groups: { all: ["a", "c"] } },
      /a group must be of a, b: current value is "c"/,
    ],
    [
      "too few replicates",
      ROWS,
      { factors: ["a", "b"], replicates: 5 },
      /replicates must be a whole number from 20 to 100,000: current value is 5/,
    ],
  ] as [string, FactorRow[], { factors: string[] }, RegExp][],
)("varianceShares() refuses %s", (_name, rows, options, message) => {
  throws(() => varianceShares(rows, { ...options, seed: "1" }), message);
});

Deno.test.each(
  [[19, false], [20, true], [21, true], [20.5, false], [100_001, false], [NaN, false]] as [number, boolean][],
)(
  "varianceShares() of %d replicates: taken %j",
  (replicates, isTaken) => {
    const rows = design({ a: [0, 1, 2], b: [0, 2] }, { more: ({ a, b }) => a! * b! / 5 });
    const share = (): number => varianceShares(rows, { factors: ["a", "b"], seed: "1", replicates }).shares.length;
    if (isTaken) ok(share() > 0);
    else throws(share, /replicates must be a whole number from 20 to 100,000/);
  },
);
