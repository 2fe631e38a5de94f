import { join } from "node:path";
import { OWN_FIGURES } from "./files.ts";
import { type Output, writeTables } from "./output.ts";
import type { Flags } from "./task_flags.ts";
import { type Edition, openPublished } from "@/lib/papers/ruler/mod.ts";
import { saveFigure } from "@/lib/figures/mod.ts";
import { jointName, leaderboardRows, type RunLeaderboard, runLeaderboard } from "@/lib/reports/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { writeRows } from "@/lib/exchange/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** The editions of Table 3, for `--published`. */
export const EDITIONS: readonly Edition[] = ["v1", "v3", "repository"];

/** Whether the flags ask for a leaderboard although there may be one run. */
export function asksLeaderboard({ published, lengths, study, leaderboard }: Flags): boolean {
  return [published, lengths, study, leaderboard].some((flag) => flag !== undefined);
}

/** Refuses the flags of a leaderboard beside one that prints something else. */
export function checkLeaderboardFlags(flags: Flags): void {
  const own = ["published", "lengths", "leaderboard"].find((name) => flags[name] !== undefined);
  const other = ["csv", "opencompass", "level", "depths", "failures"].find((name) => flags[name] !== undefined);
  if (own === undefined || other === undefined) return;
  throw new RangeError(
    `Cannot use --${own} as it is for the leaderboard, which --${other} leaves out: current value is --${own} --${other}`,
  );
}

/** Ranks runs, on request among published models: tables and figures, or one JSON object. */
export async function printLeaderboard(
  runs: readonly ScoredRun[],
  { flags, output }: { readonly flags: Flags; readonly output: Output },
): Promise<void> {
  const lengths = flags["lengths"] as readonly number[] | undefined;
  const ranked = runLeaderboard(runs, {
    ...await readPublished(flags["published"]),
    ...(lengths === undefined ? {} : { lengths }),
  });
  for (const note of ranked.notes) output.note(note);
  const file = flags["leaderboard"] as string | undefined;
  if (file !== undefined) {
    const rows = leaderboardRows(ranked);
    await writeRows(rows, file);
    output.note(`${file}: ${rows.length} ${plural(rows.length, "row")}`);
  }
  if (flags["json"]) return await output.write(`${toJson(runs, ranked)}\n`);
  const tables = ranked.boards.flatMap(({ table, scores, lengths }) => [table, scores, lengths]);
  await writeTables(tables, output);
  if (runs.length > 1) {
    output.note("fathom compare tells two runs apart sample by sample, which is surer than these ranks");
  }
  if (!flags["figures"]) return;
  const folder = join(OWN_FIGURES, jointName(runs.map(({ manifest }) => manifest)));
  for (const { benchmark, curves } of ranked.boards) {
    const path = join(folder, `leaderboard-${benchmark}.svg`);
    await saveFigure(curves, path);
    output.note(path);
  }
}

/** The rows of Table 3 in an edition; nothing where the flag is not given. */
async function readPublished(edition: unknown): Promise<Parameters<typeof runLeaderboard>[1]> {
  if (edition === undefined) return {};
  const wanted = edition === true ? "v1" : edition;
  const beside = (await openPublished()).rows.filter((row) => row.edition === wanted);
  return { published: beside.filter(({ table, group }) => table === 3 && group === "aligned"), beside };
}

function toJson(runs: readonly ScoredRun[], { names, boards, notes }: RunLeaderboard): string {
  return JSON.stringify({
    runs: runs.map(({ manifest: { name, model, origin } }, at) => ({ run: name, name: names[at], model, origin })),
    boards: boards.map(({ benchmark, group: { name, tasks }, board: { lengths, rows }, effective }) => ({
      ...{ benchmark, mean: name, tasks, lengths },
      rows: rows.map(({ rows, ...row }) => ({
        ...row,
        scores: rows.map(({ length, n, score, low, high }) => ({ length, n, score, low, high })),
      })),
      effective,
    })),
    notes,
  });
}
