import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { type Point, runsOf } from "@/lib/figures/line_runs.ts";

function points(pattern: string): Point[] {
  return [...pattern].map((mark, x) => ({
    series: "A",
    x,
    y: mark === "." ? null : x,
    low: null,
    high: null,
    dashed: mark === "d",
  }));
}

function shape(pattern: string): string[] {
  return runsOf(points(pattern)).map(({ dashed, points }) =>
    `${dashed ? "d" : "s"}${points.map(({ x }) => x).join("")}`
  );
}

Deno.test.each([
  ["one line", "ssss", ["s0123"]],
  ["a gap", "ss.ss", ["s01", "s34"]],
  ["a dashed end that starts where the solid line ends", "sssdd", ["s012", "d234"]],
  ["a point alone", ".s.", ["s1"]],
  ["a dashed stretch after a gap", "s.dd", ["s0", "d23"]],
  ["nothing", "...", []],
  ["a first point whose line goes on dashed", "sdd", ["d012"]],
])("runsOf() draws %s", (_name, pattern, runs) => {
  deepEqual(shape(pattern), runs);
});

Deno.test("runsOf() keeps every value, crosses no gap, and joins every pair of neighbours once", () => {
  fc.assert(fc.property(fc.array(fc.constantFrom("s", "d", "."), { maxLength: 12 }), (marks) => {
    const given = points(marks.join(""));
    const runs = runsOf(given);
    const kept = new Set(runs.flatMap((run) => run.points.map(({ x }) => x)));
    deepEqual([...kept].sort((a, b) => a - b), given.filter(({ y }) => y !== null).map(({ x }) => x));
    const joined = runs.flatMap((run) => run.points.slice(1).map(({ x }, index) => `${run.points[index]!.x}-${x}`));
    equal(new Set(joined).size, joined.length);
    ok(joined.every((pair) => {
      const [from, to] = pair.split("-").map(Number);
      return to === from! + 1;
    }));
    const neighbours = given.filter(({ x, y }) => y !== null && given[x + 1] !== undefined && given[x + 1]!.y !== null);
    equal(joined.length, neighbours.length);
  }));
});
