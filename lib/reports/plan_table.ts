import { addEfforts, type Effort, type RunEstimate, timeText } from "@/lib/studies/mod.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import { lengthText, plural } from "@/lib/text/mod.ts";

/** Options for {@linkcode planTable}. */
export interface PlanTableOptions {
  /** The model's name. */
  readonly model: string;
  /** Basis of the time, such as `at the pace of run "first"`. */
  readonly pace?: string | undefined;
}

/**
 * Returns a table of what a plan takes: prompt tokens by task and length, then questions, answer tokens, price and time, as far as
 * they are known.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
 * import { checkStudy, estimateRun, openStudy, planStudy } from "@/lib/studies/mod.ts";
 *
 * const opened = await openStudy(checkStudy({ tasks: ["vt"], lengths: [1024], samples: 10 }));
 * const estimate = estimateRun(planStudy(opened, { template: PLAIN_TEMPLATE }), { prices: { input: 1, output: 2 } });
 * match(planTable(estimate, { model: "mine" }).text, /^questions +10 +10$/m);
 * ```
 */
export function planTable(estimate: RunEstimate, { model, pace }: PlanTableOptions): Table {
  const { rows, isExact } = estimate;
  const lengths = [...new Set(rows.map(({ length }) => length))];
  const columns = [...lengths.map((length) => addEfforts(rows.filter((row) => row.length === length))), estimate];
  const line = (what: string, write: (effort: Effort) => string): Readonly<Record<string, string>> => ({
    what,
    ...Object.fromEntries(columns.map((effort, at) => [`column${at}`, write(effort)])),
  });
  const tasks = [...Map.groupBy(rows, ({ task }) => task)].map(([task, ofTask]): Readonly<Record<string, string>> => {
    const counts = [...lengths.map((length) => ofTask.find((row) => row.length === length)), addEfforts(ofTask)];
    return {
      what: task,
      ...Object.fromEntries(counts.map((effort, at) => [`column${at}`, effort ? grouped(effort.promptTokens) : "–"])),
    };
  });
  const lines = [
    ...tasks,
    line("all tasks", ({ promptTokens }) => grouped(promptTokens)),
    line("questions", ({ questions }) => grouped(questions)),
    line("longest prompt", ({ longestPrompt }) => grouped(longestPrompt)),
    line("answer tokens, at most", ({ answerTokens }) => grouped(answerTokens)),
    ...(estimate.price === null ? [] : [line("price, at most", ({ price }) => price!.toPrecision(3))]),
    ...(estimate.seconds === null ? [] : [line("time", ({ seconds }) => timeText(1000 * seconds!))]),
  ];
  const known = isExact ? "counted" : "upper bounds, a few percent high";
  return table(lines, {
    title: `Plan for ${model}`,
    caption: `Tokens of the prompts by task and length, ${known}; repeated calls are not included.${
      estimate.price === null ? " No price is known; the model's entry can have one." : ""
    }${pace === undefined ? " No time is known before a first run." : ` Time: ${pace}.`}`,
    origin: "measured",
    n: `${grouped(estimate.questions)} ${plural(estimate.questions, "question")}`,
    columns: [
      { field: "what", label: "Prompt tokens" },
      ...[...lengths.map(lengthText), "all"].map((label, at) => ({
        ...{ field: `column${at}`, label, align: "right" as const },
      })),
    ],
  });
}

function grouped(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}
