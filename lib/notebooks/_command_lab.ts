import { prepare } from "./_command_setup.ts";
import { openScreen } from "./_screen.ts";
import { openLab } from "./open_lab.ts";

const HELP = `Opens the notebooks in JupyterLab, with the Deno kernel of this project.

  deno task lab                                   opens a browser too
  deno task lab -- --no-browser --port=8890       further arguments go to JupyterLab

Ctrl-C stops it. No news and no updates are asked for; everything it keeps goes to .jupyter/ of this project.
`;

/** The command `lab`. */
export async function labCommand(args: readonly string[], folder: string): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(HELP);
    return 0;
  }
  const jupyter = await prepare("lab", folder, openScreen());
  const onReady = (address: string): void => console.log(`JupyterLab: ${address}\nCtrl-C stops it.`);
  return await openLab({ folder, jupyter, args, onReady });
}
