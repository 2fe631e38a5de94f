import { MEASURE } from "./measure_command.ts";
import { fathomProcess } from "@/lib/cli/main.ts";

await fathomProcess(["measure", ...Deno.args], { commands: [MEASURE] });
