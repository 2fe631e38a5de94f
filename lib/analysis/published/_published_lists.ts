import { choiceColumn, countColumn, optional, readRows, scoreColumn, textColumn } from "./_columns.ts";

/** A row of Table 4: a model that the paper evaluates, or a series of them. */
export interface PublishedModel {
  /** The name, such as `Yi` or `LWM series`. */
  readonly model: string;
  /** Whether the model was tuned to follow instructions; `null` where the mark was not read. */
  readonly aligned: boolean | null;
  /** As printed; several of a series are parted by `/`, and `-` stands for unknown. */
  readonly size: string;
  /** As printed; several of a series are parted by `/`. */
  readonly contextLength: string;
}

/** A row of Table 5: one of the 13 tasks. */
export interface PublishedTask {
  /** The task's name. */
  readonly task: string;
  /** Its category. */
  readonly category: "retrieval" | "multi_hop_tracing" | "aggregation" | "qa";
  /** The paper's name, such as `S-NIAH`. */
  readonly paperName: string;
  /** Another name in the field, such as `passkey retrieval`. */
  readonly alias: string | null;
}

/** A point of a line in Figures 2 to 4, digitised. */
export interface SeriesPoint {
  /** The number of the figure. */
  readonly figure: number;
  /** Which of the figure's plots: `left`, `middle-left`, `middle-right` or `right`. */
  readonly panel: string;
  /** The name of the line in the legend. */
  readonly series: string;
  /** Context length in tokens; `null` for a baseline that has no length. */
  readonly length: number | null;
  /** `extrapolation` beyond the length a model was trained on (dashed in Figure 4), `baseline` without any context. */
  readonly segment: "solid" | "extrapolation" | "baseline";
  /** In percent. */
  readonly score: number;
}

/** A score of Yi-34B on one task, from the figures. */
export interface TaskScore {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** In percent. */
  readonly score: number;
  /** How the number was come by. */
  readonly provenance: string;
}

/** Reads Table 4. */
export function readModels(text: string, file: string): readonly PublishedModel[] {
  const aligned = {
    name: "aligned",
    wanted: '0, 1 or "?"',
    read: (cell: string): boolean | null | undefined => ({ "0": false, "1": true, "?": null })[cell],
  };
  const columns = {
    model: textColumn("model"),
    aligned,
    size: textColumn("size"),
    contextLength: textColumn("context_length_as_printed"),
  };
  return readRows(text, { file, columns });
}

/** Reads Table 5. */
export function readTasks(text: string, file: string): readonly PublishedTask[] {
  const category = choiceColumn("category", ["retrieval", "multi_hop_tracing", "aggregation", "qa"]);
  const columns = {
    task: textColumn("task"),
    category,
    paperName: textColumn("paper_name"),
    alias: optional(textColumn("alias")),
  };
  return readRows(text, { file, columns });
}

/** Reads the lines of Figures 2 to 4. */
export function readSeries(text: string, file: string): readonly SeriesPoint[] {
  const length = {
    name: "length",
    wanted: 'a whole number from 1, or "all"',
    read: (cell: string): number | null | undefined => cell === "all" ? null : countColumn("length").read(cell),
  };
  const columns = {
    figure: countColumn("figure"),
    panel: textColumn("panel"),
    series: textColumn("series"),
    length,
    segment: choiceColumn("segment", ["solid", "extrapolation", "baseline"]),
    score: scoreColumn("score"),
  };
  return readRows(text, { file, columns });
}

/** Reads the scores of Yi-34B on each task. */
export function readTaskScores(text: string, file: string): readonly TaskScore[] {
  const columns = {
    task: textColumn("task"),
    length: countColumn("length"),
    score: scoreColumn("score"),
    provenance: textColumn("provenance"),
  };
  return readRows(text, { file, columns });
}
