import { addServeCommand } from "./serve_command.ts";
import { fathom } from "@/lib/cli/main.ts";
import { terminalOutput } from "@/lib/cli/output.ts";

const SERVE = {
  usage: "serve",
  about: "serve the simulated reader as an OpenAI-compatible endpoint",
  load: () => Promise.resolve(addServeCommand),
};

Deno.exit(await fathom(["serve", ...Deno.args], terminalOutput({ isPlain: false }), { commands: [SERVE] }));
