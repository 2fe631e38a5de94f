import { grouped, sum } from "@/lib/base/mod.ts";
import { groupsOf, thresholdOf } from "../run_report.ts";
import { runAnswer } from "../run_answer.ts";
import type { ExplorerFacts, RebuiltRow } from "./data.ts";
import { type JoinedRow, keyOf } from "./rows.ts";
import { modelName, nameRuns, type ScoredRun } from "@/lib/records/mod.ts";
import { originText, RULER_THRESHOLD } from "@/lib/statistics/mod.ts";
import { FAILURE_MEANINGS, failureRows } from "@/lib/statistics/failures/mod.ts";
import { suiteText } from "@/lib/studies/mod.ts";

interface FactsOptions extends Pick<ExplorerFacts, "isPivotOnly" | "served"> {
  readonly names: readonly string[];
  readonly rows: readonly JoinedRow[];
  readonly rebuilt: ReadonlyMap<string, RebuiltRow>;
}

/** Returns everything that a page of runs shows besides its rows. */
export async function explorerFacts(runs: readonly ScoredRun[], options: FactsOptions): Promise<ExplorerFacts> {
  const { names, rows, isPivotOnly, served } = options;
  const labels = nameRuns(runs);
  const asked = runs.map(({ replies }) => new Set(replies.map(({ task }) => task)));
  const common = [...asked[0]!].filter((task) => asked.every((tasks) => tasks.has(task)));
  const about = runs.map(async (run, at) => {
    const { manifest } = run;
    const { origin, study, started } = manifest;
    const made = [originText(origin), suiteText(manifest), `seed ${study.seed}`, `begun ${started.slice(0, 10)}`];
    const answer = isPivotOnly ? [] : await answerOf(run, at, options);
    return { name: names[at]!, label: labels[at]!, model: modelName(manifest), origin, about: made.join(", "), answer };
  });
  const tasks = Array.from(Map.groupBy(rows, ({ first }) => first.task), ([name, ofTask]) => {
    const [suite = ""] = runs.flatMap(({ manifest }) => manifest.tasks[name]?.suite ?? []);
    return { name, suite, least: ofTask.find(({ first }) => first.least !== undefined)?.first.least ?? 0 };
  });
  return {
    runs: await Promise.all(about),
    tasks,
    groups: groupsOf(runs[0]!, common.map((task) => ({ task }))),
    threshold: thresholdOf(runs[0]!)?.score ?? RULER_THRESHOLD,
    meanings: FAILURE_MEANINGS,
    isPivotOnly,
    served,
  };
}

/** Returns the computed answer of a run; its failures are classified as far as their samples are rebuilt. */
async function answerOf(run: ScoredRun, at: number, { rows, rebuilt }: FactsOptions): Promise<readonly string[]> {
  const explained = rows.flatMap((row) => {
    const reply = row.replies[at];
    if (!reply) return [];
    const { task, length, value, failed, noAnswer } = reply;
    const modes = (rebuilt.get(keyOf(row))?.modes[at] ?? []).map((mode) => ({ ...mode, evidence: [] }));
    return [{ task, length, value, failed, noAnswer, modes }];
  });
  const failures = failureRows(explained);
  const others = sum(failures, ({ unexplained }) => unexplained);
  const { lines } = await runAnswer(run, { failures });
  const texts = lines.map(({ text }) => text);
  return others === 0 ? texts : [...texts, `${grouped(others)} of the failures are not classified.`];
}
