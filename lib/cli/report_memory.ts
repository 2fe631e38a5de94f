import { type Output, writeTables } from "./output.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { checkRunClaims } from "@/lib/papers/mod.ts";
import { priorKnowledge, priorKnowledgeTable, PROMPT_DEPENDENCE_PAPER } from "@/lib/papers/prompt_dependence/mod.ts";
import { claimTable } from "@/lib/figures/mod.ts";
import { drawnFrom } from "@/lib/reports/mod.ts";
import { modelName, readScoredRun, type RecordedScores } from "@/lib/records/mod.ts";

/** Options for {@linkcode printMemory}. */
interface MemoryOptions {
  readonly output: Output;
  readonly json: boolean;
  readonly benchmarks: readonly Benchmark[];
  /** The run of the same model that has the questions without a text. */
  readonly closedBook: string;
}

/** Prints which wrong answers of a run come from prior knowledge, by what the model answers to the questions alone. */
export async function printMemory(run: RecordedScores, options: MemoryOptions): Promise<void> {
  const { output, json, benchmarks, closedBook } = options;
  const alone = await readScoredRun(closedBook, { benchmarks });
  const { manifest } = run;
  if (alone.manifest.model !== manifest.model) {
    output.note(`${closedBook} is of ${alone.manifest.model} and ${manifest.name} of ${manifest.model}`);
  }
  const tasks = { ...manifest.tasks, ...alone.manifest.tasks };
  const rows = priorKnowledge([...run.replies, ...alone.replies], tasks).filter(({ fromMemory }) =>
    fromMemory !== null
  );
  if (rows.length === 0) {
    throw new RangeError(
      `Cannot tell prior knowledge as --closed-book must be a run of the same questions without a text, such as ` +
        `data/studies/09-closed-book.yaml asks: current value is "${closedBook}"`,
    );
  }
  const claims = checkRunClaims(PROMPT_DEPENDENCE_PAPER, [run, alone]).filter(({ id }) => id === "P5");
  if (json) return await output.write(`${JSON.stringify({ run: manifest.name, closedBook, rows, claims })}\n`);
  const title = `${modelName(manifest)}: wrong answers from prior knowledge`;
  const said = claimTable(claims, { title: "What the paper says of them", ...drawnFrom(run) });
  await writeTables([priorKnowledgeTable(rows, { title, ...drawnFrom(run) }), said], output);
}
