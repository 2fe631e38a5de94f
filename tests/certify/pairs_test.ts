import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { type ArmScores, judgeArms, standsUpTo } from "@/lib/certify/pairs.ts";
import { stream } from "@/lib/random/mod.ts";
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

Deno.test("judgeArms() finds no verdict where each server cuts its own 3% and the change loses 3 points", () => {
  const runs = cases(3, 60);
  const verdicts = Array.from({ length: runs }, (_, run) => {
    const draw = stream("cut", run);
    return judgeArms(
      DESIGN,
      armsOf(cases(500, 2000), () => {
        const place = draw();
        // With more tokens, the base would be right and the change wrong.
        if (place < 0.03) return [CUT, RIGHT];
        return place < 0.06 ? [RIGHT, CUT] : [RIGHT, RIGHT];
      }),
    );
  });
  equal(verdicts.filter(({ verdict }) => verdict === "no worse").length, 0);
  // As the scores are, nothing is lost.
  ok(verdicts.every(({ state }) => state.verdict !== "worse" && Math.abs(state.difference) < 3));
});

Deno.test.each([0, 0.25, 0.5, 1])(
  "judgeArms() finds no verdict where the servers share %d of their cuts, and the change loses what is cut",
  (share) => {
    const draw = stream("shared cuts", share);
    const arms = armsOf(500, () => {
      const place = draw();
      if (place < 0.03 * share) return [CUT, CUT];
      if (place < 0.03) return [CUT, RIGHT];
      return place < 0.06 - 0.03 * share ? [RIGHT, CUT] : [RIGHT, RIGHT];
    });
    const { verdict, state, bounds } = judgeArms(DESIGN, arms);
    equal(verdict, "not enough data");
    ok(Math.abs(state.difference) < 1.5 && bounds!.forBase.difference < -2, JSON.stringify(state));
  },
);

Deno.test("judgeArms() counts cut replies of the change as they are, and those that are the same for both as equal", () => {
  const lost = judgeArms(DESIGN, armsOf(300, (index) => index % 10 === 0 ? [RIGHT, CUT] : [RIGHT, RIGHT]));
  deepEqual([lost.verdict, lost.bounds], ["worse", null]);
  const bothCut = (text: string) =>
    armsOf(300, (index) => index % 10 === 0 ? [{ ...CUT, text: "Let me think" }, { ...CUT, text }] : [RIGHT, RIGHT]);
  const [same, different] = ["Let me think", "Let me see"].map((text) => judgeArms(DESIGN, bothCut(text)));
  deepEqual([same!.verdict, same!.bounds?.forBase.verdict], ["no worse", "no worse"]);
  deepEqual([different!.verdict, different!.bounds?.forBase.verdict], ["not enough data", "worse"]);
});

Deno.test("judgeArms() has a verdict only if missing scores could not change it, and standsUpTo() how many may count against it", () => {
  const failing = (every: number, sides: "one" | "both") =>
    armsOf(400, (index) => {
      if (index % every !== 0) return [RIGHT, RIGHT];
      return sides === "one" ? [RIGHT, MISSING] : [MISSING, MISSING];
    });
  const few = judgeArms(DESIGN, failing(400, "one"));
  deepEqual([few.verdict, standsUpTo(DESIGN, failing(400, "one"), "no worse")], ["no worse", 100]);
  for (const sides of ["one", "both"] as const) {
    const many = judgeArms(DESIGN, failing(25, sides));
    deepEqual([many.verdict, many.state.verdict], ["not enough data", "no worse"]);
    equal(many.bounds?.forBase.verdict, "worse");
    const share = standsUpTo(DESIGN, failing(25, sides), "no worse");
    ok(share > 0 && share <= 40, `${share}`);
  }
  equal(standsUpTo(DESIGN, failing(25, "one"), "not enough data"), 0);
  // A loss that the missing replies cannot make good.
  const worse = judgeArms(
    DESIGN,
    armsOf(400, (index) => index % 4 === 0 ? [RIGHT, index % 40 === 0 ? MISSING : WRONG] : [RIGHT, RIGHT]),
  );
  equal(worse.verdict, "worse");
});

Deno.test("standsUpTo() counts the missing scores of the heaviest cells first, and those that harm nothing last", () => {
  const heavy = { ...DESIGN, mix: DESIGN.mix.map((cell, at) => ({ ...cell, weight: at === 0 ? 8 : 1 })) };
  const arms = armsOf(1200, (index) => index % 20 === 0 ? [RIGHT, MISSING] : [RIGHT, RIGHT]);
  const [alike, uneven] = [DESIGN, heavy].map((design) => standsUpTo(design, arms, "no worse")) as [number, number];
  ok(uneven >= 5 && uneven <= alike / 1.5, `${alike} ${uneven}`);
  // The same share of the missing scores, all of the heavy cell and spread over its rounds, keeps the verdict.
  const counted = Math.round(180 * uneven / 100);
  const change = arms.change.map((score) => {
    const [at, part] = [score.index / 20, counted / 60];
    const isCounted = score.value === null && score.task === CELLS[0] &&
      Math.floor((at + 1) * part) > Math.floor(at * part);
    return isCounted ? { ...score, value: 0 } : score;
  });
  equal(judgeArms(heavy, { base: arms.base, change }).state.verdict, "no worse");
  const harmless = armsOf(400, (index) => index % 4 === 0 ? [WRONG, MISSING] : [RIGHT, RIGHT]);
  equal(standsUpTo(DESIGN, harmless, "no worse"), 100);
});

Deno.test("judgeArms() bounds single questions of a context", () => {
  const design = { ...DESIGN, questions: 4, samples: 4000 };
  const arms = armsOf(1200, (index) => index % 10 === 0 ? [RIGHT, MISSING] : [RIGHT, RIGHT]);
  const { bounds, state } = judgeArms(design, arms);
  ok(Math.abs(bounds!.forBase.difference + 10) < 0.1 && bounds!.forChange.difference === 0 && state.missing === 0);
});
