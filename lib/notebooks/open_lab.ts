import type { Jupyter } from "./set_up_jupyter.ts";

/** Options for {@linkcode openLab}. */
export interface LabOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  /** The Jupyter to open. */
  readonly jupyter: Jupyter;
  /** Further arguments for JupyterLab, such as `--no-browser` or `--port=8890`. */
  readonly args?: readonly string[];
  /** Told the address once the server answers. */
  readonly onReady?: (address: string) => void;
  /** Ends the server when it fires. */
  readonly signal?: AbortSignal;
}

/**
 * Opens JupyterLab on the project's notebooks, until it is stopped.
 *
 * @param options The project's folder, the Jupyter, further arguments, and who is told the address.
 * @returns The exit code of JupyterLab.
 */
export async function openLab(options: LabOptions): Promise<number> {
  const { folder, jupyter, args = [], onReady, signal } = options;
  await refuseNews(`${jupyter.env["JUPYTER_CONFIG_DIR"]}/labconfig`);
  const server = new Deno.Command(jupyter.python, {
    args: ["-W", "ignore", "-m", "jupyterlab", ...labArguments(folder), ...args],
    cwd: `${folder}/notebooks`,
    env: { ...jupyter.env },
    stdin: "null",
  }).spawn();
  const stop = (): void => server.kill("SIGTERM");
  const wait = (): void => {}; // A terminal's Ctrl-C reaches JupyterLab by itself.
  Deno.addSignalListener("SIGTERM", stop);
  Deno.addSignalListener("SIGINT", wait);
  signal?.addEventListener("abort", stop);
  let isOver = false;
  const ended = server.status.finally(() => isOver = true);
  const address = await waitForAddress(
    `${jupyter.env["JUPYTER_RUNTIME_DIR"]}/jpserver-${server.pid}.json`,
    () => isOver,
  );
  if (address !== undefined) onReady?.(address);
  const { code } = await ended;
  Deno.removeSignalListener("SIGTERM", stop);
  Deno.removeSignalListener("SIGINT", wait);
  signal?.removeEventListener("abort", stop);
  return code;
}

function labArguments(folder: string): readonly string[] {
  return [
    `--config=${import.meta.dirname}/jupyter_lab_config.py`,
    `--ServerApp.root_dir=${folder}`,
    "--LabApp.default_url=/lab/tree/notebooks",
  ];
}

// JupyterLab asks at its first start whether it may fetch news, unless the extension that asks is off.
async function refuseNews(folder: string): Promise<void> {
  const page = { disabledExtensions: { "@jupyterlab/apputils-extension:announcements": true } };
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/page_config.json`, JSON.stringify(page, null, 2) + "\n");
}

async function waitForAddress(file: string, isOver: () => boolean): Promise<string | undefined> {
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    try {
      const { url, token } = JSON.parse(await Deno.readTextFile(file));
      return `${url}lab/tree/notebooks?token=${token}`;
    } catch {
      // The server has not written it yet.
    }
  }
  return undefined;
}
