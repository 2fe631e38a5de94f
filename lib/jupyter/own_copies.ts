import { createHash } from "node:crypto";
import { listNotebooks } from "./lab.ts";
import { formatNotebook, type Notebook, parseNotebook } from "./notebook.ts";
import { asInjected } from "./parameters.ts";

/** The folder of the working copies. It lies beside `notebooks/`, so that paths such as `../data` mean the same in both. */
export const OWN_FOLDER = "own";

/** What became of the working copy of a notebook. */
export interface OwnCopy {
  /** Name of the notebook, without folder and ending. */
  readonly name: string;
  /**
   * `made`: there was none. `same`: its notebook has not changed. `renewed`: its notebook has changed, and nobody had edited the
   * copy. `kept`: its notebook has changed, but so has the copy, which stays as it is.
   */
  readonly state: "made" | "same" | "renewed" | "kept";
}

/** Makes a working copy of every notebook in `own/`, and renews those that nobody has edited; running one is no edit. */
export async function copyNotebooks(folder: string): Promise<readonly OwnCopy[]> {
  await Deno.mkdir(`${folder}/${OWN_FOLDER}`, { recursive: true });
  const copies: OwnCopy[] = [];
  for (const name of await listNotebooks(folder)) {
    const original = await Deno.readTextFile(`${folder}/notebooks/${name}.ipynb`);
    const file = `${folder}/${OWN_FOLDER}/${name}.ipynb`;
    const state = stateOf(original, await readText(file));
    if (state === "made" || state === "renewed") await Deno.writeTextFile(file, copyOf(original));
    copies.push({ name, state });
  }
  return copies;
}

/**
 * Keeps a working copy as it stands beside the reports, so that a report can be made of it, and gives the name of that report;
 * `undefined` where there is no such copy.
 *
 * @param copy Its name, without folder and ending.
 */
export async function keepCopy(folder: string, copy: string): Promise<string | undefined> {
  const text = await readText(`${folder}/${OWN_FOLDER}/${copy}.ipynb`);
  if (text === undefined) return undefined;
  const original = await readText(`${folder}/notebooks/${copy}.ipynb`);
  const notebook = parseNotebook(text);
  const kept = original === undefined ? notebook : asInjected(notebook, parseNotebook(original));
  await Deno.mkdir(`${folder}/results/reports`, { recursive: true });
  await Deno.writeTextFile(`${folder}/results/reports/${copy}.own.ipynb`, formatNotebook(kept));
  return `${copy}.own`;
}

/** What a copy keeps of the notebook it was made of, in its metadata. */
interface CopiedFrom {
  /** The hash of the notebook's file. */
  readonly file: string;
  /** The hash of its cells without their outputs. */
  readonly cells: string;
}

function copyOf(original: string): string {
  const file = JSON.parse(original);
  const copied: CopiedFrom = { file: sha256(original), cells: hashCells(parseNotebook(original)) };
  return JSON.stringify({ ...file, metadata: { ...file.metadata, fathom: { copied } } }, null, 1) + "\n";
}

function stateOf(original: string, copy: string | undefined): OwnCopy["state"] {
  if (copy === undefined) return "made";
  const notebook = readNotebook(copy);
  const copied = (notebook?.metadata["fathom"] as { readonly copied?: CopiedFrom } | undefined)?.copied;
  if (copied?.file === sha256(original)) return "same";
  return notebook !== undefined && copied?.cells === hashCells(notebook) ? "renewed" : "kept";
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** A notebook, or `undefined` where somebody has made something else of it. */
function readNotebook(text: string): Notebook | undefined {
  try {
    return parseNotebook(text);
  } catch {
    return undefined;
  }
}

function hashCells({ cells }: Notebook): string {
  return sha256(JSON.stringify(cells.map(({ kind, source }) => [kind, source])));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
