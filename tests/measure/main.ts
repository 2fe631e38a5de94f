import { addMeasureCommand } from "./measure_command.ts";
import { fathom } from "@/lib/cli/main.ts";
import { terminalOutput } from "@/lib/cli/output.ts";

const MEASURE = {
  usage: "measure",
  about: "make the measured data that comes with Fathom again, or check it",
  load: () => Promise.resolve(addMeasureCommand),
};

Deno.exit(await fathom(["measure", ...Deno.args], terminalOutput({ isPlain: false }), { commands: [MEASURE] }));
