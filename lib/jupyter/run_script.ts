import { runProgram } from "./find_jupyter.ts";
import { formatNotebook, type Json, type JsonObject, type Notebook } from "./notebook.ts";
import type { Jupyter } from "./set_up_jupyter.ts";

const RECORD = "\x1e";

/** Runs run_notebook.py with settings and handles its events, one JSON object per line. */
export async function runScript(
  jupyter: Jupyter,
  settings: JsonObject,
  onEvent: (event: JsonObject) => void,
): Promise<void> {
  let trouble: string | undefined;
  const handle = (event: JsonObject): void => {
    if (event["event"] === "trouble") trouble = String(event["message"]).split("\n")[0];
    else onEvent(event);
  };
  const end = await runProgram(jupyter.python, {
    args: ["-W", "ignore", `${import.meta.dirname}/run_notebook.py`],
    folder: String(settings["folder"]),
    env: jupyter.env,
    input: JSON.stringify(settings),
    onLine: (line, from) => {
      const start = line.indexOf(RECORD);
      if (from === "stdout" && start >= 0) handle(JSON.parse(line.slice(start + 1)));
    },
  });
  if (end.code === 0) return;
  const last = trouble ?? end.stderr.findLast((line) => line.trim() !== "")?.trim() ?? `exit code ${end.code}`;
  throw new Error(`Cannot ${settings["action"]} the notebook as Jupyter must run it: current value is "${last}"`);
}

/** Returns a notebook as the JSON of its file. */
export function fileOf(notebook: Notebook): Json {
  return JSON.parse(formatNotebook(notebook));
}
