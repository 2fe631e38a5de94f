import { grouped } from "@/lib/base/mod.ts";
import { pathOf } from "./lab.ts";
import { isTagged, type JsonObject, type Notebook } from "./notebook.ts";
import { readBindings } from "./parameters.ts";
import { originText, type VerdictCounts } from "@/lib/statistics/mod.ts";

/** Returns the title of a notebook: its question. */
export function questionOf({ cells }: Notebook): string | undefined {
  return /^# (.+)$/m.exec(cells[0]?.source ?? "")?.[1]?.trim();
}

/** The answer under the title, a block quote. */
export const ANSWER = /^(?:>.*(?:\n|$))+/m;

/** Returns the answer under the title, without quote marks. */
export function answerOf({ cells }: Notebook): string | undefined {
  const lines = ANSWER.exec(cells[0]?.source ?? "")?.[0];
  return lines?.replaceAll(/^> ?/gm, "").trim();
}

/** The verdicts of one table of claims. */
export interface ClaimCount extends VerdictCounts {
  readonly title: string;
  readonly origin: string;
}

/** The counts of verdicts in the note of a table of claims. */
export const VERDICTS = /(\d+) holds?, (?:(\d+) mostly holds?, )?(\d+) fails?, (\d+) cannot tell/;

/** Returns the verdicts of each table of claims in the outputs of a notebook. */
export function claimCounts(notebook: Notebook): readonly ClaimCount[] {
  return shownTexts(notebook).flatMap((text): ClaimCount[] => {
    const [title = "", note = ""] = text.split("\n");
    const verdicts = VERDICTS.exec(note);
    if (verdicts === null || !note.includes(" in the source")) return [];
    const [holds = 0, mostly = 0, fails = 0, open = 0] = verdicts.slice(1).map((count = "0") => Number(count));
    return [{ title, origin: note.split(" · ")[0]!, holds, mostly, fails, open }];
  });
}

const ORIGINS = ["published", "measured", "computed", "simulated", "origin unknown"] as const;

/** Returns the origins of the figures and tables of a notebook. */
export function originsIn(notebook: Notebook): readonly string[] {
  const notes = shownTexts(notebook).map((text) => text.split("\n")[1]?.split(" · ")[0]?.toLowerCase() ?? "");
  return ORIGINS.filter((origin) => notes.some((note) => note.startsWith(origin)));
}

/** The MIME type of a {@linkcode RunCard} in the outputs of a notebook. */
export const RUN_TYPE = "application/vnd.fathom.run+json";

/** The facts of a run for the last section of a report. */
export interface RunCard {
  readonly run: string;
  readonly model: string;
  readonly origin: string;
  readonly study?: string;
  readonly suite: string;
  readonly samples: number;
  /** The hash of the ids and texts of all samples. */
  readonly sha256: string;
  readonly seed: string;
  /** The tokenizer that lengths are counted with. */
  readonly tokenizer: string;
  /** The part of a reply that is scored. */
  readonly scored?: "first" | "whole";
  /** The finding of a run under test. */
  readonly headline?: string;
  /** When, where and with which weights a real model was asked, as far as it is known. */
  readonly asked?: string;
  readonly server?: string;
  readonly weights?: string;
  readonly machine?: string;
}

/** Returns the runs that a notebook shows, also those shown more than once. */
export function cardsIn(notebook: Pick<Notebook, "cells">): readonly RunCard[] {
  return dataOf(notebook).flatMap((data) => (data[RUN_TYPE] as RunCard | undefined) ?? []);
}

/** Returns the distinct runs in the outputs of a notebook. */
export function runCards(notebook: Notebook): readonly RunCard[] {
  return [...new Map(cardsIn(notebook).map((card) => [`${card.run} ${card.sha256}`, card])).values()];
}

function shownTexts(notebook: Notebook): readonly string[] {
  return dataOf(notebook).map((data) => data["text/plain"]).filter((text) => typeof text === "string");
}

/** Returns the data of the outputs of cells, by MIME type. */
export function dataOf({ cells }: Pick<Notebook, "cells">): readonly JsonObject[] {
  return cells.flatMap(({ outputs }) => outputs).map(({ data }) => data)
    .filter((data): data is JsonObject => typeof data === "object" && data !== null && !Array.isArray(data));
}

/** The source of a report: a notebook by name, and the project's version and commit. */
interface ReportSource {
  readonly name: string;
  readonly version: string;
  readonly commit: string | undefined;
  readonly made: Date;
}

const RUN_HEADS = ["Run", "Model", "Study", "Suite", "Samples", "Hash", "Seed", "Lengths in"];
const REAL_HEADS = ["Run", "Asked", "Server", "Weights", "Machine"];

/**
 * Returns the content of the last section of a report, which its template shows: version, time, the command that reproduces it, runs, how
 * real models were asked, and parameters.
 */
export function originOf(notebook: Notebook, { name, version, commit, made }: ReportSource): JsonObject {
  const bindings = (tag: string): ReadonlyMap<string, string> =>
    new Map(readBindings(notebook.cells.find((cell) => isTagged(cell, tag))?.source ?? ""));
  const changed = bindings("injected-parameters");
  const settings = [...changed].map(([parameter, value]) =>
    `--set ${shellWord(`${parameter}=${/^".*"$/s.test(value) ? JSON.parse(value) : value}`)}`
  );
  const called = name.startsWith("own/") ? name : name.slice(0, 2);
  const cards = runCards(notebook);
  const runs = cards.map(({ run, model, origin, study = "–", suite, samples, sha256, seed, tokenizer }) => [
    ...[run, `${model} (${originText(origin)})`, study, suite, grouped(samples)],
    ...[sha256.slice(0, 12), seed, tokenizer],
  ]);
  const real = cards.filter(({ asked }) => asked !== undefined)
    .map(({ run, asked = "–", server = "–", weights = "not known", machine = "not known" }) => [
      ...[run, asked, server, weights, machine],
    ]);
  const parameters = [...bindings("parameters")].map(([parameter, value]) => [
    parameter,
    changed.has(parameter) ? `${changed.get(parameter)} (changed)` : value,
  ]);
  return {
    facts: [
      ["Notebook", pathOf(name)],
      ["Made", `${made.toISOString().slice(0, 16).replace("T", " ")} UTC`],
      ["Fathom", commit === undefined ? version : `${version}, commit ${commit}`],
      ["Make it again", ["deno task reproduce --", "--only", called, ...settings].join(" ")],
    ],
    tables: [
      { title: "Runs", heads: RUN_HEADS, rows: runs },
      { title: "How real models were asked", heads: REAL_HEADS, rows: real },
      { title: "Parameters", heads: ["Name", "Value"], rows: parameters },
    ].filter(({ rows }) => rows.length > 0),
  };
}

/** Quotes a word for a shell. */
function shellWord(word: string): string {
  return /^[\w=./:,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
