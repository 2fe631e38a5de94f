// Sets up Jupyter for the folder given, and prints its Python or the error.
import { setUpJupyter } from "@/lib/jupyter/set_up_jupyter.ts";

const [folder = ""] = Deno.args;
try {
  const { python } = await setUpJupyter("run", { folder, onProgress: () => {} });
  console.log(python);
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
}
