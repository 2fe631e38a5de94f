import { runProgram } from "./find_jupyter.ts";
import { formatNotebook, type Json, type JsonObject, type Notebook } from "./notebook.ts";
import type { Jupyter } from "./set_up_jupyter.ts";

const RECORD = "\x1e";

/** Passes settings to run_notebook.py and handles its events, one by one. */
export async function talk(jupyter: Jupyter, settings: JsonObject, take: (event: JsonObject) => void): Promise<void> {
  let trouble: string | undefined;
  const hear = (event: JsonObject): void => {
    if (event["event"] === "trouble") trouble = String(event["message"]).split("\n")[0];
    else take(event);
  };
  const end = await runProgram(jupyter.python, {
    args: ["-W", "ignore", `${import.meta.dirname}/run_notebook.py`],
    folder: String(settings["folder"]),
    env: jupyter.env,
    input: JSON.stringify(settings),
    onLine: (line, from) => {
      const start = line.indexOf(RECORD);
      if (from === "stdout" && start >= 0) hear(JSON.parse(line.slice(start + 1)));
    },
  });
  if (end.code === 0) return;
  const last = trouble ?? end.stderr.findLast((line) => line.trim() !== "")?.trim() ?? `exit code ${end.code}`;
  throw new Error(`Cannot ${settings["action"]} the notebook as Jupyter must serve it: current value is "${last}"`);
}

/** The notebook as its file holds it. */
export function fileOf(notebook: Notebook): Json {
  return JSON.parse(formatNotebook(notebook));
}
