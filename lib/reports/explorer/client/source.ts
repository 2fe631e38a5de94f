/// <reference lib="dom" />
import { readPrompt, readStored, type StoredPart, type StoredRow } from "../codec.ts";
import type { ExplorerFacts, ExplorerRow, LiveUpdate, ServedPrompt } from "../data.ts";

/** Returns the facts of the page. */
export function readFacts(): ExplorerFacts {
  return JSON.parse(document.getElementById("facts")!.textContent!);
}

/** Reads a compressed block of the page. */
async function unpack<Value>(block: Element): Promise<Value> {
  const bytes = Uint8Array.from(atob(block.textContent!), (character) => character.charCodeAt(0));
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
}

/** Reads the rows of the page. */
export async function readRows({ runs }: ExplorerFacts): Promise<ExplorerRow[]> {
  const blocks = [...document.querySelectorAll("script.rows")];
  const read = await Promise.all(blocks.map((block) => unpack<StoredRow[]>(block)));
  for (const block of blocks) block.remove();
  return read.flatMap((rows) => readStored(rows, { runs: runs.length }));
}

/**
 * Returns the prompt of a row: whole if the page has it, otherwise from the page's server, otherwise shortened; `null` if the page has
 * none, of which the row's `why` is the reason if there is one. That of a server comes with the question, depth and failures.
 */
export async function findPrompt(
  row: ExplorerRow,
  { served }: ExplorerFacts,
): Promise<Pick<ServedPrompt, "parts" | "why" | "isWhole"> & Partial<ServedPrompt>> {
  const whole = document.getElementById(`prompt-${row.at}`);
  if (whole !== null) return { parts: readPrompt(await unpack<StoredPart[]>(whole)), why: "", isWhole: true };
  if (served !== "no") {
    const answer = await fetch(`prompt/${row.at}`).then((response) => response.json(), (error) => ({ error }));
    if (answer.error === undefined) return answer;
    return { parts: null, why: `fathom view does not answer: ${answer.error.message}`, isWhole: false };
  }
  for (const block of document.querySelectorAll<HTMLElement>("script.prompts")) {
    if (!block.dataset.rows!.split(" ").includes(`${row.at}`)) continue;
    const prompts = await unpack<Record<string, StoredPart[]>>(block);
    return { parts: readPrompt(prompts[row.at]!), why: "", isWhole: false };
  }
  return { parts: null, why: row.why, isWhole: false };
}

/** Calls back with each update of runs that go on, until they are over; a server that has gone is tried again by the browser. */
export function listen(onUpdate: (update: LiveUpdate) => void): void {
  const events = new EventSource("events");
  events.addEventListener("update", ({ data }) => {
    const { facts, rows, live } = JSON.parse(data);
    if (live.isOver) events.close();
    onUpdate({ facts, rows: readStored(rows, { runs: facts.runs.length }), live });
  });
}
