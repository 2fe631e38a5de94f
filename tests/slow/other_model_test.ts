import { deepEqual, equal } from "node:assert/strict";
import { cwd } from "node:process";
import { findReady, named } from "../e2e/_project.ts";
import { type Notebook, parseNotebook } from "@/lib/jupyter/notebook.ts";
import { declaredParameters, parametersName } from "@/lib/jupyter/parameters.ts";
import { reproduceNotebook } from "@/lib/jupyter/reproduce.ts";

// Each notebook with another model than its own: it runs, and says nothing about the measured models that it shows by default.

const jupyter = await findReady("run");
const missing = { "Jupyter is not set up; deno task setup does it": jupyter === undefined };

const names = [...Deno.readDirSync("notebooks")].map(({ name }) => name)
  .filter((name) => name.endsWith(".ipynb")).map((name) => name.replace(".ipynb", "")).sort();

/** Names of the models that notebooks show by default. */
const DEFAULTS = /gemma|smollm/i;

/** The texts of a notebook: its words, and what its cells print. */
function textsOf({ cells }: Notebook): readonly string[] {
  return cells.flatMap(({ kind, source, outputs }) => {
    const shown = outputs.map(({ data = {}, text = "" }) => {
      const { "text/plain": plain = "", "text/markdown": markdown = "" } = data as Record<string, unknown>;
      return [text, plain, markdown].flat().join("");
    });
    return kind === "markdown" ? [source] : shown;
  });
}

for (const name of names) {
  const path = `notebooks/${name}.ipynb`;
  const declared = declaredParameters(parseNotebook(Deno.readTextFileSync(path)));
  const parameters = { model: "sim:ideal", ...("samples" in declared ? { samples: 2 } : {}) };
  const ignore = jupyter === undefined || !("model" in declared) || !("runs" in declared);
  Deno.test({
    name: named(`${name} runs with another model, and does not speak of its default ones`, missing),
    ignore,
    async fn(): Promise<void> {
      const { failure } = await reproduceNotebook(name, { folder: cwd(), jupyter: jupyter!, parameters });
      equal(failure, undefined);
      const made = `results/reports/${name}.${parametersName(parameters)}.ipynb`;
      const texts = textsOf(parseNotebook(await Deno.readTextFile(made)));
      deepEqual(texts.filter((text) => DEFAULTS.test(text)), []);
    },
  });
}
