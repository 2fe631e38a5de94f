import { deepEqual, equal, match } from "node:assert/strict";
import { THREADING_RUN_CLAIMS } from "@/lib/papers/needle_threading/run_claims.ts";
import { checkClaims, type CheckedClaim, type RunReply, summarise } from "@/lib/statistics/mod.ts";

const KINDS = { depth: "single_needle", needles: "multi_needle", threads: "multi_thread" } as const;

/** So many of 40 replies, or of another number, are right, to a task with some knobs. */
interface Asked {
  readonly options: Readonly<Record<string, string | number>>;
  readonly right: number;
  readonly length?: number;
  readonly n?: number;
}

function verdictOf(id: string, asked: readonly Asked[], claimedLength: number | null = null): CheckedClaim {
  const nameOf = ({ options }: Asked): string => JSON.stringify(options);
  const replies = asked.flatMap((each) =>
    Array.from({ length: each.n ?? 40 }, (_, index): RunReply => ({
      ...{ task: nameOf(each), length: each.length ?? 4096, value: index < each.right ? 1 : 0 },
      ...{ failed: false, noAnswer: false, record: { index, seed: "1" } },
    }))
  );
  const tasks = Object.fromEntries(asked.map((each) => [nameOf(each), { options: each.options }]));
  const claims = THREADING_RUN_CLAIMS.filter((claim) => claim.id === id);
  return checkClaims(claims, { rows: summarise(replies), replies, tasks, claimedLength })[0]!;
}

/** A task that varies one knob. */
function turned(knob: keyof typeof KINDS, at: number): Pick<Asked, "options"> {
  return { options: { kind: KINDS[knob], [knob]: at } };
}

Deno.test.each(
  [
    ["the middle is lost", "N9", [[0, 40], [0.5, 20], [1, 38]], "holds"],
    ["the ends are lost", "N9", [[0, 20], [0.5, 40], [1, 20]], "fails"],
    ["nearly alike", "N9", [[0, 38], [0.5, 36], [0.9, 37]], "cannot tell"],
    ["nothing in the middle", "N9", [[0, 40], [1, 20]], "cannot tell"],
    ["many threads are lost", "N10", [[2, 40], [25, 10]], "fails"],
    ["few samples of a thread-safe model", "N10", [[2, 40], [25, 37]], "cannot tell"],
    ["one number of threads", "N10", [[2, 40]], "cannot tell"],
  ] as [string, string, [at: number, right: number][], string][],
)("THREADING_RUN_CLAIMS: %s (%s)", (_name, id, cells, verdict) => {
  const knob = id === "N9" ? "depth" : "threads";
  equal(verdictOf(id, cells.map(([at, right]) => ({ ...turned(knob, at), right }))).verdict, verdict);
});

Deno.test("THREADING_RUN_CLAIMS cannot tell what more threads cost where none or all are followed", () => {
  const at = (right: number) => verdictOf("N10", [2, 25].map((at) => ({ ...turned("threads", at), right, n: 400 })));
  deepEqual([0, 8, 400].map((right) => at(right).verdict), ["cannot tell", "cannot tell", "cannot tell"]);
  match(
    at(8).observed,
    /Both scores \(2\.0 and 2\.0\) are at the floor, so the task is too hard to show a difference\.$/,
  );
  match(at(400).observed, /Both scores \(100\.0 and 100\.0\) are at the ceiling, so the task is too easy/);
});

Deno.test("THREADING_RUN_CLAIMS cannot tell a limit of context from a task that is too hard at any length", () => {
  const cells = [1, 0, 1].map((right, at) => ({ ...turned("needles", 2), right, length: 4096 << at }));
  const { verdict, observed } = verdictOf("N11", cells, 65_536);
  equal(verdict, "cannot tell");
  match(observed, /^With 2 needles it is 0 .* Accuracy is below 75% at the shortest length already/);
});

Deno.test("THREADING_RUN_CLAIMS compare numbers of needles at the lengths that have both", () => {
  // 25 needles do not fit the shortest length, where two are easy.
  const needles = [[2, 40, 1024], [2, 20, 8192], [25, 20, 8192]] as const;
  const asked = needles.map(([at, right, length]) => ({ ...turned("needles", at), right, length }));
  match(verdictOf("N12", asked).observed, /^Fewest less most needles: 0\.0 points/);
});

Deno.test("THREADING_RUN_CLAIMS compare a limit with the window that the model's entry names", () => {
  const limitOf = (counts: readonly (readonly [length: number, right: number])[], window: number | null) =>
    verdictOf("N11", counts.map(([length, right]) => ({ ...turned("needles", 2), right, length, n: 400 })), window);
  const falling = [[4096, 400], [8192, 400], [16_384, 4], [32_768, 4]] as const;
  equal(limitOf(falling, 65_536).verdict, "holds");
  equal(limitOf(falling, null).verdict, "cannot tell");
  const perfect = [[4096, 400], [8192, 400]] as const;
  const { verdict, observed } = limitOf(perfect, 8192);
  equal(verdict, "fails");
  equal(observed, "With 2 needles it is 8,192 (95% interval 8,192 to 8,192) of 8,192 tokens.");
  equal(limitOf(perfect, 131_072).verdict, "cannot tell", "lengths that were not asked");
});

Deno.test("THREADING_RUN_CLAIMS compare threads of the same steps, and placements of their own kind of task alone", () => {
  const threads = [
    { options: { kind: "single_thread", direction: "forward", steps: 2 }, right: 40 },
    { options: { kind: "single_thread", direction: "backward", steps: 9 }, right: 0 },
  ];
  equal(verdictOf("N17", threads).verdict, "cannot tell");
  const needles = [
    { options: { kind: "multi_needle", needles: 5, placement: "clustered" }, right: 38 },
    { options: { kind: "multi_needle", needles: 5, placement: "random" }, right: 10 },
  ];
  equal(verdictOf("N19", needles).verdict, "cannot tell");
});

Deno.test("THREADING_RUN_CLAIMS: longer contexts are worse if every kind of task is, with the same knobs", () => {
  const needle = { kind: "single_needle" };
  const thread = { kind: "single_thread", steps: 5 };
  const at = (options: Asked["options"], right: number, length: number): Asked => ({ options, right, length });
  const falling = [at(needle, 40, 1024), at(needle, 20, 8192)];
  equal(verdictOf("N20", falling).verdict, "holds");
  equal(verdictOf("N20", [...falling, at(thread, 10, 1024), at(thread, 10, 8192)]).verdict, "cannot tell");
  equal(verdictOf("N20", [...falling, at(thread, 0, 1024), at(thread, 30, 8192)]).verdict, "fails");
  // Ten steps at the greater length alone are another task.
  equal(verdictOf("N20", [...falling, at({ ...thread, steps: 10 }, 0, 8192)]).verdict, "holds");
  match(verdictOf("N20", falling).observed, /^Lost with length: single needle 50\.0 points/);
  equal(verdictOf("N20", [at(needle, 40, 1024)]).observed, "No task was asked at two lengths.");
});

Deno.test("THREADING_RUN_CLAIMS leave a task at the floor out, and a run of such tasks open", () => {
  const thread = { kind: "single_thread", steps: 5 };
  const hard = [1024, 8192].map((length): Asked => ({ options: thread, right: 1, length }));
  const { verdict, observed } = verdictOf("N20", hard);
  deepEqual([verdict, observed], ["cannot tell", "Lost with length: single thread is at the floor."]);
  const directions = ["forward", "backward"].map((direction): Asked => ({
    options: { ...thread, direction },
    right: 1,
  }));
  deepEqual(verdictOf("N17", directions).observed, "All scores are at the floor.");
  // Ten steps are at the floor in both directions, so that two steps alone decide.
  const easy = [40, 20].map((right, at): Asked => ({ options: { ...directions[at]!.options, steps: 2 }, right }));
  match(
    verdictOf("N17", [...directions, ...easy]).observed,
    /^Forward less backward: 50\.0 points/,
  );
});

type Ways = readonly [Asked["options"], Asked["options"]];

const WAYS: Readonly<Record<string, Ways>> = {
  N9: [{ kind: "single_needle", depth: 0 }, { kind: "single_needle", depth: 0.5 }],
  N10: [{ kind: "multi_thread", threads: 2 }, { kind: "multi_thread", threads: 25 }],
  N12: [{ kind: "multi_needle", needles: 2 }, { kind: "multi_needle", needles: 25 }],
  N17: [{ kind: "single_thread", direction: "forward" }, { kind: "single_thread", direction: "backward" }],
  N18: [{ kind: "multi_needle", placement: "clustered" }, { kind: "multi_needle", placement: "random" }],
  N19: [{ kind: "conditional_needle", placement: "clustered" }, { kind: "conditional_needle", placement: "random" }],
};

/** The verdict that an interval of a difference in points allows: on its sign, on a gain of 5 points, on a loss of 10, or on both sides of 10. */
function verdictBy(id: string, low: number, high: number): string {
  if (id === "N10" || id === "N12") return high <= 10 ? "holds" : low > 10 ? "fails" : "cannot tell";
  if (id === "N18") return low >= -10 && high <= 10 ? "holds" : low > 10 || high < -10 ? "fails" : "cannot tell";
  return low > 0 ? "holds" : high < 5 ? "fails" : "cannot tell";
}

for (const [id, ways] of Object.entries(WAYS)) {
  Deno.test(`THREADING_RUN_CLAIMS: ${id} decides by the interval that it prints`, () => {
    const seen = new Set<string>();
    // In steps of 0.4 points where ends of the interval pass 0 and 10 points.
    for (let less = -300; less <= 300; less += Math.abs(less) < 90 ? 2 : 15) {
      const right = [300 + Math.min(0, less), 300 - Math.max(0, less)];
      const { verdict, observed } = verdictOf(id, ways.map((options, at) => ({ options, right: right[at]!, n: 500 })));
      const [, low, high] = observed.match(/interval (-?[\d.]+) to (-?[\d.]+)/)!.map(Number) as [
        number,
        number,
        number,
      ];
      const isEdge = [low, high].some((end) => [-10, 0, 5, 10].some((bar) => Math.abs(end - bar) < 0.1));
      const isFloor = observed.includes("floor");
      if (!isEdge && !isFloor) equal(verdict, verdictBy(id, low, high), observed);
      seen.add(verdict);
    }
    equal(seen.size, 3);
  });
}
