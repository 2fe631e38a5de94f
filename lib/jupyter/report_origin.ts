import { isTagged, type Notebook } from "./notebook.ts";
import { readBindings } from "./parameters.ts";
import { type RunCard, runCards } from "./report_facts.ts";
import { originText } from "@/lib/statistics/mod.ts";

/** The source of a report. */
export interface ReportSource {
  /** The notebook's name, without folder and extension. */
  readonly name: string;
  /** The version of Fathom. */
  readonly version: string;
  /** The commit of the project, and whether files have changed since, if known. */
  readonly commit?: string | undefined;
  /** When the page was made. */
  readonly made: Date;
}

/** The content of the last section of a report, in any format. */
export interface ReportOrigin {
  /** Labels and values. */
  readonly facts: readonly (readonly [string, string])[];
  /** The runs of the report, and how real models were asked. */
  readonly tables: readonly OriginTable[];
  readonly parameters: readonly RunParameter[];
}

/** A table of texts. */
export interface OriginTable {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A parameter of a notebook and the value it ran with. */
interface RunParameter {
  readonly name: string;
  readonly value: string;
  /** Whether the value differs from the committed one. */
  readonly isChanged: boolean;
}

/** The label of the command that reproduces a report. */
export const COMMAND = "Make it again";

/** Returns how a report was made: version, time, the command that reproduces it, runs, parameters. */
export function originOf(notebook: Notebook, { name, version, commit, made }: ReportSource): ReportOrigin {
  const parameters = parametersOf(notebook);
  const cards = runCards(notebook);
  const real = cards.filter(({ asked }) => asked !== undefined);
  return {
    facts: [
      ["Notebook", `notebooks/${name}.ipynb`],
      ["Made", `${made.toISOString().slice(0, 16).replace("T", " ")} UTC`],
      ["Fathom", commit === undefined ? version : `${version}, commit ${commit}`],
      [COMMAND, commandFor(name, parameters.filter(({ isChanged }) => isChanged))],
    ],
    tables: [
      { title: "Runs", heads: RUN_HEADS, rows: cards.map(runRow) },
      { title: "How real models were asked", heads: REAL_HEADS, rows: real.map(realRow) },
    ].filter(({ rows }) => rows.length > 0),
    parameters,
  };
}

const RUN_HEADS = ["Run", "Model", "Study", "Suite", "Samples", "Hash", "Seed", "Lengths in"];

function runRow({ run, model, origin, study = "–", suite, samples, sha256, seed, tokenizer }: RunCard): string[] {
  const facts = [study, suite, samples.toLocaleString("en"), sha256.slice(0, 12), seed, tokenizer];
  return [run, `${model} (${originText(origin)})`, ...facts];
}

const REAL_HEADS = ["Run", "Asked", "Server", "Weights", "Machine"];

function realRow({ run, asked = "–", server = "–", weights = "not known", machine = "not known" }: RunCard): string[] {
  return [run, asked, server, weights, machine];
}

function parametersOf({ cells }: Notebook): readonly RunParameter[] {
  const bindings = (tag: string): ReadonlyMap<string, string> =>
    new Map(readBindings(cells.find((cell) => isTagged(cell, tag))?.source ?? ""));
  const injected = bindings("injected-parameters");
  return [...bindings("parameters")].map(([name, value]) => ({
    name,
    value: injected.get(name) ?? value,
    isChanged: injected.has(name),
  }));
}

function commandFor(name: string, changed: readonly RunParameter[]): string {
  const settings = changed.map(({ name, value }) => {
    const text = /^"(.*)"$/s.test(value) ? JSON.parse(value) as string : value;
    return `--set ${quoted(`${name}=${text}`)}`;
  });
  return ["deno task reproduce --", `--only ${name.slice(0, 2)}`, ...settings].join(" ");
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w=./:,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
