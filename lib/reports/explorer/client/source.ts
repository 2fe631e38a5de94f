/// <reference lib="dom" />
import { readPrompt, type StoredPart } from "../codec.ts";
import type { ExplorerFacts, ExplorerPrompt, ExplorerRow, LiveUpdate } from "../data.ts";

/** Where the data of an explorer are: the document, or a shadow root. */
type Root = ParentNode;

/** Returns the facts of an explorer. */
export function readFacts(root: Root): ExplorerFacts {
  return JSON.parse(root.querySelector("#facts")!.textContent!);
}

/** Reads a compressed block. */
async function unpack<Value>(block: Element): Promise<Value> {
  const bytes = Uint8Array.from(atob(block.textContent!), (character) => character.charCodeAt(0));
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
}

/** Reads the rows of an explorer, once. */
export async function readRows(root: Root): Promise<ExplorerRow[]> {
  const blocks = [...root.querySelectorAll("script.rows")];
  const read = await Promise.all(blocks.map((block) => unpack<ExplorerRow[]>(block)));
  for (const block of blocks) block.remove();
  return read.flat();
}

/** Returns the prompt of a row: from the page's server if it has one, otherwise from the page. */
export async function findPrompt(
  { at, why }: ExplorerRow,
  { root, facts: { served } }: { readonly root: Root; readonly facts: ExplorerFacts },
): Promise<ExplorerPrompt> {
  if (served !== "no") {
    const answer = await fetch(`prompt/${at}`).then((response) => response.json(), (error) => ({ error }));
    if (answer.error === undefined) return answer;
    return { parts: null, why: `fathom view does not answer: ${answer.error.message}`, isWhole: false };
  }
  for (const block of root.querySelectorAll<HTMLElement>("script.prompts")) {
    if (!block.dataset.rows!.split(" ").includes(`${at}`)) continue;
    const prompts = await unpack<Record<string, StoredPart[]>>(block);
    return { ...readPrompt(prompts[at]!), why: "" };
  }
  return { parts: null, why, isWhole: false };
}

/** Calls back with each update of runs that go on, until they are over; the browser tries a server again that does not answer. */
export function listen(onUpdate: (update: LiveUpdate) => void): void {
  const events = new EventSource("events");
  events.addEventListener("update", ({ data }) => {
    const update: LiveUpdate = JSON.parse(data);
    if (update.live.isOver) events.close();
    onUpdate(update);
  });
}
