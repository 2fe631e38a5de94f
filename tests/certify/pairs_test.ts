import { deepEqual, equal } from "node:assert/strict";
import { type ArmScores, judgeArms } from "@/lib/certify/pairs.ts";
import type { AskedSample } from "@/lib/asking/mod.ts";

const CELLS = ["vt", "qa", "fwe"];
const DESIGN = {
  margin: 2,
  samples: 6000,
  mix: CELLS.map((task) => ({ task, length: 4096, weight: 1, score: 90, n: 8 })),
  firstPair: 0,
  questions: 1,
};

type Outcome = Pick<AskedSample, "value" | "isCut" | "text">;

const RIGHT: Outcome = { value: 1 };
const WRONG: Outcome = { value: 0 };
const CUT: Outcome = { value: 0, isCut: true };
const MISSING: Outcome = { value: null };

/** Scores of rounds, each drawn for both arms. */
function armsOf(rounds: number, draw: (index: number) => readonly [base: Outcome, change: Outcome]): ArmScores {
  const drawn = Array.from({ length: rounds }, (_, index) =>
    CELLS.map((task) => {
      const [base, change] = draw(index);
      const place = { task, length: 4096, index };
      return { base: { ...place, ...base }, change: { ...place, ...change } };
    })).flat();
  return { base: drawn.map(({ base }) => base), change: drawn.map(({ change }) => change) };
}

Deno.test("judgeArms() counts cut replies of the change as they are, and those that are the same for both as equal", () => {
  const lost = judgeArms(DESIGN, armsOf(300, (index) => index % 10 === 0 ? [RIGHT, CUT] : [RIGHT, RIGHT]));
  deepEqual([lost.verdict, lost.bounds], ["worse", null]);
  const bothCut = (text: string) =>
    armsOf(300, (index) => index % 10 === 0 ? [{ ...CUT, text: "Let me think" }, { ...CUT, text }] : [RIGHT, RIGHT]);
  const [same, different] = ["Let me think", "Let me see"].map((text) => judgeArms(DESIGN, bothCut(text)));
  deepEqual([same!.verdict, same!.bounds?.forBase.verdict], ["no worse", "no worse"]);
  deepEqual([different!.verdict, different!.bounds?.forBase.verdict], ["not enough data", "worse"]);
});

Deno.test("judgeArms() has a verdict only if missing scores could not change it", () => {
  const failing = (every: number, sides: "one" | "both") =>
    armsOf(400, (index) => {
      if (index % every !== 0) return [RIGHT, RIGHT];
      return sides === "one" ? [RIGHT, MISSING] : [MISSING, MISSING];
    });
  const few = judgeArms(DESIGN, failing(400, "one"));
  equal(few.verdict, "no worse");
  for (const sides of ["one", "both"] as const) {
    const many = judgeArms(DESIGN, failing(25, sides));
    deepEqual([many.verdict, many.state.verdict], ["not enough data", "no worse"]);
    equal(many.bounds?.forBase.verdict, "worse");
  }
  // A loss that the missing replies cannot make good.
  const worse = judgeArms(
    DESIGN,
    armsOf(400, (index) => index % 4 === 0 ? [RIGHT, index % 40 === 0 ? MISSING : WRONG] : [RIGHT, RIGHT]),
  );
  equal(worse.verdict, "worse");
});
