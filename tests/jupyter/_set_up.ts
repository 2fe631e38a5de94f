// Sets up Jupyter for the folder given, with the PATH of this process, and says what came of it.
import { setUpJupyter } from "@/lib/jupyter/set_up_jupyter.ts";

const [folder = ""] = Deno.args;
try {
  const { python, origin } = await setUpJupyter("run", { folder, path: Deno.env.get("PATH") ?? "" });
  console.log(`${origin} ${python}`);
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
}
