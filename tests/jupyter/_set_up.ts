// Sets up Jupyter for the folder given, with the PATH of this process, and says what came of it.
import { setUpJupyter } from "@/lib/jupyter/set_up_jupyter.ts";

const [folder = "", reachMs = "5000"] = Deno.args;
try {
  const options = { folder, path: Deno.env.get("PATH") ?? "", reachMs: Number(reachMs) };
  const { python, origin } = await setUpJupyter("run", options);
  console.log(`${origin} ${python}`);
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
}
