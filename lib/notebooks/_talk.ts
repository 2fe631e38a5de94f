import { formatNotebook } from "./format_notebook.ts";
import type { Json, JsonObject, Notebook } from "./notebook.ts";
import { runProgram } from "./_programs.ts";
import type { Jupyter } from "./set_up_jupyter.ts";

/** Gives run_notebook.py its settings and takes its events, one by one. */
export async function talk(jupyter: Jupyter, settings: JsonObject, take: (event: JsonObject) => void): Promise<void> {
  const end = await runProgram(jupyter.python, {
    args: ["-W", "ignore", `${import.meta.dirname}/run_notebook.py`],
    folder: String(settings["folder"]),
    env: jupyter.env,
    input: JSON.stringify(settings),
    onLine: (line, from) => {
      if (from === "stdout" && line.startsWith("{")) take(JSON.parse(line));
    },
  });
  if (end.code === 0) return;
  const last = end.stderr.findLast((line) => line.trim() !== "")?.trim() ?? `exit code ${end.code}`;
  throw new Error(`Cannot ${settings["action"]} the notebook as Jupyter must serve it: current value is "${last}"`);
}

/** The notebook as its file holds it. */
export function fileOf(notebook: Notebook): Json {
  return JSON.parse(formatNotebook(notebook));
}
