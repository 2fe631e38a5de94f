import { isTagged, type JsonObject, type Notebook } from "./notebook.ts";
import { escapeMarkdown, verdictCounts } from "@/lib/text/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";

/** Returns the title of a notebook: its question. */
export function questionOf({ cells }: Notebook): string | undefined {
  return /^# (.+)$/m.exec(cells[0]?.source ?? "")?.[1]?.trim();
}

/** The answer under the title, a block quote. */
const ANSWER = /^(?:> .*(?:\n|$))+/m;

/** Returns the answer under the title, without quote marks. */
export function answerOf({ cells }: Notebook): string | undefined {
  const lines = ANSWER.exec(cells[0]?.source ?? "")?.[0];
  return lines?.replaceAll(/^> /gm, "").trim();
}

/** The verdicts of one table of claims. */
export interface ClaimCount {
  /** The title of the table. */
  readonly title: string;
  readonly origin: string;
  readonly holds: number;
  readonly fails: number;
  readonly open: number;
}

const VERDICTS = /(\d+) holds?, (\d+) fails?, (\d+) cannot tell/;

/** Returns the verdicts of each table of claims in the outputs of a notebook. */
export function claimCounts(notebook: Notebook): readonly ClaimCount[] {
  return shownTexts(notebook).flatMap((text): ClaimCount[] => {
    const [title = "", note = ""] = text.split("\n");
    const verdicts = VERDICTS.exec(note);
    if (verdicts === null || !note.includes(" in the source")) return [];
    const [holds, fails, open] = verdicts.slice(1).map(Number) as [number, number, number];
    return [{ title, origin: note.split(" · ")[0]!, holds, fails, open }];
  });
}

const ORIGINS = ["published", "measured", "simulated", "origin unknown"] as const;

/** Returns the origins of the figures and tables of a notebook. */
export function originsIn(notebook: Notebook): readonly string[] {
  const notes = shownTexts(notebook).map((text) => text.split("\n")[1]?.split(" · ")[0]?.toLowerCase() ?? "");
  return ORIGINS.filter((origin) => notes.some((note) => note.startsWith(origin)));
}

/** Returns the first picture in the outputs of a notebook, as SVG. */
export function firstPicture(notebook: Notebook): string | undefined {
  return dataOf(notebook).map((data) => data["image/svg+xml"]).find((svg) => typeof svg === "string");
}

/** The MIME type of a {@linkcode RunCard} in the outputs of a notebook. */
export const RUN_TYPE = "application/vnd.fathom.run+json";

/** The facts of a run for the last section of a report. */
export interface RunCard {
  readonly run: string;
  readonly model: string;
  readonly origin: string;
  /** The study's title. */
  readonly study?: string;
  /** Suites and variant. */
  readonly suite: string;
  readonly samples: number;
  /** The hash of the ids and texts of all samples. */
  readonly sha256: string;
  readonly seed: string;
  /** The tokenizer that lengths are counted with. */
  readonly tokenizer: string;
  /** The dates on which a real model was asked. */
  readonly asked?: string;
  /** The server of a real model. */
  readonly server?: string;
  /** The file of the weights of a real model, if known. */
  readonly weights?: string;
  /** The machine of a real model, if known. */
  readonly machine?: string;
}

/** Returns the distinct runs in the outputs of a notebook. */
export function runCards(notebook: Notebook): readonly RunCard[] {
  const cards = dataOf(notebook).map((data) => data[RUN_TYPE] as RunCard | undefined).filter((card) =>
    card !== undefined
  );
  return [...new Map(cards.map((card) => [`${card.run} ${card.sha256}`, card])).values()];
}

function shownTexts(notebook: Notebook): readonly string[] {
  return dataOf(notebook).map((data) => data["text/plain"]).filter((text) => typeof text === "string");
}

function dataOf({ cells }: Notebook): readonly JsonObject[] {
  return cells.flatMap(({ outputs }) => outputs).map(({ data }) => data)
    .filter((data): data is JsonObject => typeof data === "object" && data !== null && !Array.isArray(data));
}

/** Replaces the answer of a notebook that ran with other parameters by the verdicts of this run. */
export function withHeadline(notebook: Notebook): Notebook {
  const [first, ...cells] = notebook.cells;
  const injected = cells.find((cell) => isTagged(cell, "injected-parameters"));
  if (first === undefined || injected === undefined) return notebook;
  const shown = claimCounts(notebook).filter(({ origin }) => origin !== "Published")
    .map(({ title, holds, fails, open }) => `> ${title}: ${verdictCounts(holds, fails, open)}.`);
  const headline = [
    "> This notebook ran with other parameters than the committed ones (see the first code cells). Figures and tables show this run; numbers in sentences are those of the committed run.",
    ...runsShown(runCards(notebook)),
    ...shown,
  ].join("\n>\n");
  const source = first.source.replace(ANSWER, `${headline}\n`);
  return { ...notebook, cells: [{ ...first, source }, ...cells] };
}

const MAX_RUNS = 6;

/** Returns a line that lists the runs of a notebook. */
function runsShown(cards: readonly RunCard[]): readonly string[] {
  if (cards.length === 0) return [];
  const shown = cards.slice(0, MAX_RUNS).map(({ run, model, origin, samples }) =>
    `${escapeMarkdown(model)} (${originText(origin)}, ${samples.toLocaleString("en")} samples of ${
      escapeMarkdown(run)
    })`
  );
  const more = cards.length - shown.length;
  return [`> Shown: ${shown.join("; ")}${more > 0 ? `; ${more} more` : ""}.`];
}
