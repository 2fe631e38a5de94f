import { deepEqual, ok } from "node:assert/strict";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { openMeasured, type RecordedScores, type ScoredReply } from "@/lib/records/mod.ts";
import { listMeasured } from "@/lib/records/run_folders.ts";
import { checkRunClaims } from "@/lib/reports/mod.ts";

// What every claim about a run promises. The runs are measured ones, with other scores.

/** Gives a reply another score. */
function scored(reply: ScoredReply, value: number): ScoredReply {
  const { score } = reply;
  return { ...reply, value, score: score && { ...score, value, ...cellsOf(score, value) } };
}

function cellsOf(score: object, value: number): object {
  return "cells" in score ? { cells: (score.cells as number[]).map(() => value) } : {};
}

const RUNS: readonly (readonly [name: string, change: (replies: readonly ScoredReply[]) => readonly ScoredReply[]])[] =
  [
    ["in which no reply scores anything", (replies) => replies.map((reply) => scored(reply, reply.least ?? 0))],
    ["in which every reply is right", (replies) => replies.map((reply) => scored(reply, 1))],
    ["of one length", (replies) => replies.filter(({ length }) => length === replies[0]!.length)],
  ];

const asked = new Set((await listMeasured()).map(({ benchmark }) => benchmark));
for (const { name, paper } of BENCHMARKS) {
  if (paper === undefined || !asked.has(name)) continue;
  const { runClaims } = await paper();
  const measured = await openMeasured({ benchmark: name });

  Deno.test.each(RUNS)(`${name}: no claim is decided on a run %s`, (_, change) => {
    for (const run of measured) {
      const checked = checkRunClaims({ runClaims }, [{ ...run, replies: change(run.replies) }]);
      deepEqual(checked.filter(({ verdict }) => verdict !== "cannot tell").map(({ id }) => id), []);
    }
  });

  const checked = `${name}: no claim is checked on a simulated reader, a control`;
  Deno.test(checked, { ignore: measured.length === 0 }, () => {
    const [{ manifest, replies }] = measured as [RecordedScores];
    deepEqual(checkRunClaims({ runClaims }, [{ replies, manifest: { ...manifest, origin: "simulated" } }]), []);
    ok(checkRunClaims({ runClaims }, [{ replies, manifest }]).length === runClaims.length);
  });
}
