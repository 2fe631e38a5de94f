import { readArguments } from "./_read_arguments.ts";
import { openScreen, type Screen } from "./_screen.ts";
import type { JupyterNeed } from "./find_jupyter.ts";
import { progressLine } from "./progress.ts";
import { type Jupyter, setUpJupyter } from "./set_up_jupyter.ts";

const HELP = `Sets up Jupyter for the notebooks; the other commands do so by themselves.

  deno task setup

A Jupyter on the PATH (nbclient 0.7 and nbconvert 6.5, or newer) is used as it is. Otherwise the versions pinned in
lib/notebooks/requirements.txt go into .venv/ of this project. The Deno kernel is registered in .jupyter/ of this
project. Nothing is written outside the project.
`;

/** The command \`setup\`. */
export async function setupCommand(args: readonly string[], folder: string): Promise<number> {
  const { flags } = readArguments(args, { help: "flag" });
  if (flags.includes("help")) {
    console.log(HELP);
    return 0;
  }
  const jupyter = await prepare("run", folder, openScreen());
  console.log(
    `Jupyter is ready: ${jupyter.python} (${jupyter.origin === "PATH" ? "on the PATH, as it is" : "in .venv"})`,
  );
  return 0;
}

/** Sets up Jupyter, showing progress where something is to be installed. */
export function prepare(need: JupyterNeed, folder: string, screen: Screen): Promise<Jupyter> {
  const path = Deno.env.get("PATH") ?? "";
  return setUpJupyter(need, { folder, path, onProgress: (progress) => screen.show(progressLine(progress)) });
}
