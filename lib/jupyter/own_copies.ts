import { createHash } from "node:crypto";
import { listNotebooks } from "./lab.ts";
import { formatNotebook, type Notebook, parseNotebook } from "./notebook.ts";
import { asInjected } from "./parameters.ts";

/** The folder of the working copies, beside `notebooks/`, so that paths such as `../data` work in both. */
export const OWN_FOLDER = "own";

/** The state of a working copy. */
export interface OwnCopy {
  /** Name of the notebook, without folder and extension. */
  readonly name: string;
  /**
   * `made`: it is new. `same`: its notebook has not changed. `renewed`: its notebook has changed and the copy was not edited, so it was
   * replaced. `kept`: both have changed, and the copy was left as it is.
   */
  readonly state: "made" | "same" | "renewed" | "kept";
}

/** Makes a working copy of every notebook in `own/`, and replaces outdated copies that were not edited; running a copy is no edit. */
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
 * Saves a working copy beside the reports, for a report of it, and returns the name of the report; `undefined` if there is no such
 * copy.
 *
 * @param copy Its name, without folder and extension.
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

/** The metadata of a copy: hashes of its original. */
interface CopiedFrom {
  /** The hash of the original file. */
  readonly file: string;
  /** The hash of the original cells without outputs. */
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

/** Parses a notebook; `undefined` if the file is no notebook any more. */
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
