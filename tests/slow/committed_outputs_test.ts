import { deepEqual } from "node:assert/strict";
import { missing, notebooks, runCopy } from "./_notebook_copies.ts";
import { named } from "../e2e/_project.ts";
import { isTagged, type JsonObject, type Notebook } from "@/lib/jupyter/notebook.ts";
import { readBindings } from "@/lib/jupyter/parameters.ts";

// Each notebook as it is committed: its code makes the outputs that it shows.

/** An output without the page in it, if it is live: that has the scripts of today, which tests compare with their clients. */
function withoutPage({ execution_count: _, data, ...output }: JsonObject): unknown {
  const { "text/html": html, ...others } = (data ?? {}) as JsonObject;
  const isLive = Object.hasOwn(others, "application/vnd.fathom.report+json");
  return { ...output, data: isLive ? others : { html, ...others } };
}

/** The outputs of a notebook by the code of their cell. */
function outputsOf({ cells }: Notebook): readonly unknown[] {
  return cells.filter((cell) => cell.kind === "code" && !isTagged(cell, "injected-parameters"))
    .map(({ source, outputs }) => ({ source, outputs: outputs.map(withoutPage) }));
}

for (const [name, committed] of notebooks) {
  Deno.test({
    name: named(`${name} has the outputs that its code makes`, missing),
    ignore: Object.values(missing).includes(true),
    async fn(): Promise<void> {
      const { source } = committed.cells.find((cell) => isTagged(cell, "parameters"))!;
      // Any parameter with its own value leaves the committed notebook alone.
      const [parameter, value] = readBindings(source)[0]!;
      const made = await runCopy(name, { [parameter]: JSON.parse(value) });
      deepEqual(outputsOf(made), outputsOf(committed));
    },
  });
}
