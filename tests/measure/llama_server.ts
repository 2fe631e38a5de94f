import { createHash } from "node:crypto";
import { openRegular } from "@/lib/base/mod.ts";

/** How a server of llama.cpp is started. */
export interface LlamaServerOptions {
  /** The program, by name or path. */
  readonly program: string;
  /** The path of the weights, a .gguf file. */
  readonly weights: string;
  /** What the SHA-256 of that file must be. */
  readonly sha256: string;
  /** Further flags, as in a shell. */
  readonly flags: string;
  /** What the server calls the model. */
  readonly model: string;
  /** The address that the model is asked at; its host and port. */
  readonly baseUrl: string;
  readonly note: (line: string) => void;
}

/** How long loading the weights may take, in milliseconds, and how often to look. */
const LOADING = { mostMs: 300_000, everyMs: 500 } as const;

/**
 * Starts llama.cpp's server and waits until it has loaded the weights; disposing stops it.
 *
 * @throws {RangeError} If the weights are not the file wanted, or the program cannot be started.
 * @throws {Error} If it ends or takes more than five minutes before it is ready.
 */
export async function startLlamaServer(options: LlamaServerOptions): Promise<AsyncDisposable> {
  const { program, weights, flags, model, baseUrl, note } = options;
  await checkWeights(options);
  const { hostname, port, origin } = new URL(baseUrl);
  if (await isReady(origin)) {
    throw new RangeError(`Cannot start a server at ${origin} as nothing must answer there: current value is a server`);
  }
  const args = ["-m", weights, "--host", hostname, "--port", port || "80", "--alias", model, ...flags.split(/\s+/)];
  note(`${program} ${args.join(" ")}`);
  const server = spawn(program, args.filter((arg) => arg !== ""));
  const ended = { code: null as number | null };
  const status = server.status.then(({ code }) => ended.code = code);
  const stop = async (): Promise<void> => {
    if (ended.code === null) server.kill("SIGTERM");
    await status;
  };
  const startedMs = performance.now();
  while (!(await isReady(origin))) {
    const isLate = performance.now() - startedMs > LOADING.mostMs;
    if (isLate) await stop();
    if (isLate || ended.code !== null) {
      throw new Error(
        `Cannot start a server for ${model} as it must be ready within ${LOADING.mostMs / 60_000} minutes: ${
          isLate ? "it was not" : `it ended with code ${ended.code}; run the line above to see why`
        }`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, LOADING.everyMs));
  }
  return { [Symbol.asyncDispose]: stop };
}

function spawn(program: string, args: readonly string[]): Deno.ChildProcess {
  try {
    return new Deno.Command(program, { args: [...args], stdin: "null", stdout: "null", stderr: "null" }).spawn();
  } catch (error) {
    throw new RangeError(
      `Cannot start the server as --server must be llama.cpp's llama-server: current value is "${program}" (${
        (error as Error).message
      })`,
    );
  }
}

/** Whether a server answers and has loaded its weights. */
async function isReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/health`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function checkWeights({ weights, sha256 }: LlamaServerOptions): Promise<void> {
  const hash = createHash("sha256");
  try {
    const file = await openRegular(weights);
    for await (const chunk of file.createReadStream()) hash.update(chunk);
  } catch (error) {
    throw new RangeError(
      `Cannot read the weights as --weights must be the folder that they are in: current value is "${weights}" (${
        (error as Error).message
      })`,
    );
  }
  const found = hash.digest("hex");
  if (found === sha256) return;
  throw new RangeError(
    `Cannot measure with "${weights}" as the SHA-256 of the file must be ${sha256}: current value is ${found}`,
  );
}
