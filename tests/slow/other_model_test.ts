import { deepEqual, notEqual } from "node:assert/strict";
import { missing, notebooks, runCopy } from "./_notebook_copies.ts";
import { named } from "../e2e/_project.ts";
import type { Notebook } from "@/lib/jupyter/notebook.ts";
import { declaredParameters } from "@/lib/jupyter/parameters.ts";

// Each notebook with another model than its own: it runs, and says nothing about the measured models that it shows by default.

/** Names of the models that notebooks show by default. */
const DEFAULTS = /gemma|smollm/i;

/** The words of a notebook, without its code. The first are its title and the answer, which a run computes. */
function wordsOf({ cells }: Notebook): readonly string[] {
  return cells.filter(({ kind }) => kind === "markdown").map(({ source }) => source.replaceAll(/`[^`]*`/g, ""));
}

/** What the cells of a notebook print. */
function printedBy({ cells }: Notebook): readonly string[] {
  return cells.flatMap(({ outputs }) =>
    outputs.map(({ data = {}, text = "" }) => {
      const { "text/plain": plain = "", "text/markdown": markdown = "" } = data as Record<string, unknown>;
      return [text, plain, markdown].flat().join("");
    })
  );
}

/** The numbers in texts that are results rather than counts: with decimals, or in thousands. */
function resultsIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.match(/(?<![\d.,])\d+\.\d+(?![\d.])|\d+,\d{3}/g) ?? []));
}

for (const [name, committed] of notebooks) {
  const declared = declaredParameters(committed);
  const isOthers = "model" in declared && "runs" in declared;
  Deno.test({
    name: named(`${name} runs with another model, and does not speak of its default ones`, missing),
    ignore: Object.values(missing).includes(true) || !isOthers,
    async fn(): Promise<void> {
      const ran = await runCopy(name, { model: "sim:ideal", ...("samples" in declared ? { samples: 2 } : {}) });
      notEqual(ran.cells[0]!.source, committed.cells[0]!.source, "the answer is that of the committed notebook");
      deepEqual([...wordsOf(ran), ...printedBy(ran)].filter((text) => DEFAULTS.test(text)), []);
      const ofDefaults = resultsIn(printedBy(committed)).difference(resultsIn(printedBy(ran)));
      deepEqual([...resultsIn(wordsOf(ran).slice(1)).intersection(ofDefaults)], []);
    },
  });
}
