import { choiceColumn, numberColumn, readRows, textColumn, yesNoColumn } from "./_columns.ts";

/** Figure 5: how alike the models' scores on 18 task configurations are. */
export interface TaskCorrelations {
  /** In the figure's order. */
  readonly tasks: readonly CorrelatedTask[];
  /**
   * Row and column by the order of `tasks`: 0 is the least correlation that the figure shows, 1 the greatest; the scale
   * is not printed.
   */
  readonly matrix: readonly (readonly number[])[];
}

/** A task configuration of Figure 5. */
export interface CorrelatedTask {
  /** As the figure writes it. */
  readonly task: string;
  /** Its category. */
  readonly category: "NIAH" | "VT" | "AG" | "QA";
  /** Whether it is one of the 13 that RULER keeps. */
  readonly kept: boolean;
}

/** Reads Figure 5 from its list of tasks and its heatmap. */
export function readCorrelations(
  list: { readonly text: string; readonly file: string },
  heatmap: { readonly text: string; readonly file: string },
): TaskCorrelations {
  const tasks = readRows(list.text, {
    file: list.file,
    columns: {
      task: textColumn("task"),
      category: choiceColumn("category", ["NIAH", "VT", "AG", "QA"]),
      kept: yesNoColumn("kept_in_13"),
    },
  });
  const names = tasks.map(({ task }) => task);
  const shares = Object.fromEntries(names.map((name) => [name, numberColumn(name, { low: 0, high: 1 })]));
  const rowNames = readRows(heatmap.text, { file: heatmap.file, columns: { task: choiceColumn("task", names) } });
  const rows = readRows(heatmap.text, { file: heatmap.file, columns: shares });
  const matrix = names.map((name) => {
    const row = rows[rowNames.findIndex(({ task }) => task === name)];
    if (row === undefined) {
      throw new SyntaxError(`Cannot read ${heatmap.file} as it must have a row for each task: "${name}" has none`);
    }
    return names.map((other) => row[other]!);
  });
  return { tasks, matrix };
}
