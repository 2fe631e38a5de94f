import { ok } from "node:assert/strict";
import { minimise } from "@/lib/benchmarks/ruler/fit_profiles.ts";

Deno.test("minimise() finds the bottom of a bowl and of Rosenbrock's valley (1960), at (1, 1)", () => {
  const bowl = ([x, y]: readonly number[]): number => (x! - 3) ** 2 + 10 * (y! + 2) ** 2;
  const valley = ([x, y]: readonly number[]): number => (1 - x!) ** 2 + 100 * (y! - x! ** 2) ** 2;
  for (const [cost, want] of [[bowl, [3, -2]], [valley, [1, 1]]] as const) {
    const found = minimise([-1.2, 1], cost);
    found.forEach((value, axis) => ok(Math.abs(value - want[axis]!) < 0.01, `${found}`));
  }
});

Deno.test("minimise() never ends higher than it began", () => {
  const bumpy = ([x]: readonly number[]): number => Math.sin(5 * x!) + 0.1 * x! ** 2;
  for (const start of [-3, -1, 0, 0.5, 2]) ok(bumpy(minimise([start], bumpy)) <= bumpy([start]));
});
