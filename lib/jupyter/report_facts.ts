import { isTagged, type JsonObject, type Notebook } from "./notebook.ts";
import { escapeMarkdown, verdictCounts } from "@/lib/text/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";

/** The question that a notebook asks: its title. */
export function questionOf({ cells }: Notebook): string | undefined {
  return /^# (.+)$/m.exec(cells[0]?.source ?? "")?.[1]?.trim();
}

/** The answer under the title: a quotation. */
const ANSWER = /^(?:> .*(?:\n|$))+/m;

/** The answer under the title, without its mark. */
export function answerOf({ cells }: Notebook): string | undefined {
  const lines = ANSWER.exec(cells[0]?.source ?? "")?.[0];
  return lines?.replaceAll(/^> /gm, "").trim();
}

/** How many claims hold, by where the numbers they were asked of come from. */
export interface ClaimCount {
  /** The table's finding. */
  readonly title: string;
  readonly origin: string;
  readonly holds: number;
  readonly fails: number;
  readonly open: number;
}

const VERDICTS = /(\d+) holds?, (\d+) fails?, (\d+) cannot tell/;

/** The tables of claims of a notebook that ran, each with its verdicts on what its source states. */
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

/** Where the numbers of a notebook's figures and tables come from. */
export function originsIn(notebook: Notebook): readonly string[] {
  const said = shownTexts(notebook).map((text) => text.split("\n")[1]?.split(" · ")[0]?.toLowerCase() ?? "");
  return ORIGINS.filter((origin) => said.some((note) => note.startsWith(origin)));
}

/** The first picture of a notebook that ran, as SVG. */
export function firstPicture(notebook: Notebook): string | undefined {
  return dataOf(notebook).map((data) => data["image/svg+xml"]).find((svg) => typeof svg === "string");
}

/** The type under which a notebook's outputs keep what a run was. */
export const RUN_TYPE = "application/vnd.fathom.run+json";

/** What a run was, for the last section of a report. */
export interface RunCard {
  readonly run: string;
  readonly model: string;
  readonly origin: string;
  /** The study's title. */
  readonly study?: string;
  /** Suites and variant. */
  readonly suite: string;
  readonly samples: number;
  /** The hash of all samples' ids and texts. */
  readonly sha256: string;
  readonly seed: string;
  /** What lengths are counted with. */
  readonly tokenizer: string;
  /** When a real model was asked, as dates. */
  readonly asked?: string;
  /** The server of a real model. */
  readonly server?: string;
  /** The file of a real model's weights, where it is known. */
  readonly weights?: string;
  /** The machine that a real model ran on, where it is known. */
  readonly machine?: string;
}

/** The runs that a notebook's outputs tell of, each once. */
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

/**
 * Replaces the answer of a notebook that ran with other parameters by what this run shows: the answer was written about another run.
 */
export function withHeadline(notebook: Notebook): Notebook {
  const [first, ...cells] = notebook.cells;
  const injected = cells.find((cell) => isTagged(cell, "injected-parameters"));
  if (first === undefined || injected === undefined) return notebook;
  const shown = claimCounts(notebook).filter(({ origin }) => origin !== "Published")
    .map(({ title, holds, fails, open }) => `> ${title}: ${verdictCounts(holds, fails, open)}.`);
  const headline = [
    "> Run with other parameters than the notebook's own (next to the first cell of code). Figures and tables show this run; sentences that give numbers were written about the notebook's own.",
    ...runsShown(runCards(notebook)),
    ...shown,
  ].join("\n>\n");
  const source = first.source.replace(ANSWER, `${headline}\n`);
  return { ...notebook, cells: [{ ...first, source }, ...cells] };
}

const MOST_RUNS = 6;

/** The runs that a notebook shows, in a line. */
function runsShown(cards: readonly RunCard[]): readonly string[] {
  if (cards.length === 0) return [];
  const said = cards.slice(0, MOST_RUNS).map(({ run, model, origin, samples }) =>
    `${escapeMarkdown(model)} (${originText(origin)}, ${samples.toLocaleString("en")} samples of ${
      escapeMarkdown(run)
    })`
  );
  const more = cards.length - said.length;
  return [`> Shown: ${said.join("; ")}${more > 0 ? `; ${more} more` : ""}.`];
}
