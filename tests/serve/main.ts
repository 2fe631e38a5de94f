import { SERVE } from "./serve_command.ts";
import { fathomProcess } from "@/lib/cli/main.ts";

await fathomProcess(["serve", ...Deno.args], { commands: [SERVE] });
