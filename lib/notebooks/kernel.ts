/** Name under which notebooks ask for the Deno kernel. */
export const KERNEL = "deno";

/**
 * Registers the Deno kernel inside the project, started by the very program that runs now.
 *
 * @param folder An absolute path to the project's folder; the kernel is written below its `.jupyter/`.
 * @returns The variables that make Jupyter find the kernel and keep its own files inside the project too.
 */
export async function registerKernel(folder: string): Promise<Readonly<Record<string, string>>> {
  const parent = `${folder}/.jupyter/kernels/${KERNEL}`;
  const spec = {
    argv: [Deno.execPath(), "jupyter", "--quiet", "--kernel", "--conn", "{connection_file}"],
    "display_name": "Deno",
    language: "typescript",
    // Without colours, what a cell prints is the same text on every machine.
    env: { "NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1" },
  };
  await Deno.mkdir(parent, { recursive: true });
  await Deno.writeTextFile(`${parent}/kernel.json`, JSON.stringify(spec, null, 2) + "\n");
  return jupyterVariables(folder);
}

function jupyterVariables(folder: string): Readonly<Record<string, string>> {
  const home = `${folder}/.jupyter`;
  return {
    "JUPYTER_PATH": home,
    "JUPYTER_CONFIG_DIR": `${home}/config`,
    "JUPYTER_DATA_DIR": `${home}/data`,
    "JUPYTER_RUNTIME_DIR": `${home}/runtime`,
    "JUPYTERLAB_SETTINGS_DIR": `${home}/lab/settings`,
    "JUPYTERLAB_WORKSPACES_DIR": `${home}/lab/workspaces`,
    "IPYTHONDIR": `${home}/ipython`,
  };
}
