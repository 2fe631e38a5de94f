import type { CommandEntry } from "@/lib/cli/commands.ts";
import type { Command } from "commander";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defined } from "@/lib/base/mod.ts";
import type { Output } from "@/lib/cli/output.ts";
import { answerRequest, type ServerSettings } from "./server_messages.ts";
import { wholeNumber } from "@/lib/cli/flag_values.ts";
import { addBenchmarkFlag, addSampleFlags, addTaskFlags, openBenchmarks, readStudyFlags } from "@/lib/cli/flags.ts";
import { openProfile, PROFILE_NAMES } from "@/lib/simulated/profiles.ts";
import type { BenchmarkOptions, Study } from "@/lib/studies/mod.ts";
import { makeSamples, serveSamples } from "./served_samples.ts";
import { openEncoding } from "@/lib/text/mod.ts";

/** The command of `deno task serve`. */
export const SERVE: CommandEntry = {
  usage: "serve",
  about: "serve the simulated reader as an OpenAI-compatible endpoint",
  load: () => Promise.resolve({ addCommand: addServeCommand }),
};

/** Adds the command of `deno task serve`: the simulated reader as an endpoint on this machine. */
function addServeCommand(program: Command, output: Output): void {
  const command = program.command("serve")
    .description(
      "Answers /v1/chat/completions, /v1/completions and /v1/models on 127.0.0.1, so that you can try any OpenAI client " +
        "without a key, a GPU or a network. It is not a language model: it answers the samples of the study that it is started " +
        "with, and refuses other long prompts. Requests must be JSON, and pages of other sites are refused. Ctrl-C ends it.",
    )
    .option("--profile <name>", "the one profile to serve, such as ideal or gpt-4 (default: all)")
    .option("--port <n>", "the port; 0 takes any that is free", wholeNumber(0, 65_535), 8123)
    .option(
      "--context-tokens <n>",
      "the longest prompt to accept, as a model with a small window does (default: any)",
      wholeNumber(1),
    )
    .option("--study <file>", "a study file (YAML) whose samples are answered; flags override it");
  addBenchmarkFlag(addSampleFlags(addTaskFlags(command)))
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  deno task serve --profile ideal --tasks vt --lengths 4K\n" +
        "  fathom run --tasks vt --lengths 4K --model sim:ideal --base-url http://127.0.0.1:8123/v1",
    )
    .action(async ({ profile, port, contextTokens, ...flags }) => {
      const isGiven = flags.study !== undefined || flags.tasks !== undefined;
      const benchmarks = await openBenchmarks(flags);
      const study = isGiven ? await readStudyFlags(flags, { benchmarks }) : undefined;
      const server = await serveSimulated({
        profile,
        port,
        contextTokens,
        benchmarks,
        ...defined({ study }),
      });
      await output.write(`${server.url}\n`);
      output.note(`Serving ${profile ?? "every profile"} of the simulated reader; Ctrl-C ends it`);
      await untilInterrupted();
      await server.close();
    });
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const listener = (): void => {
      Deno.removeSignalListener("SIGINT", listener);
      resolve();
    };
    Deno.addSignalListener("SIGINT", listener);
  });
}

/** Options for {@linkcode serveSimulated}. */
export interface ServeOptions extends BenchmarkOptions {
  /** The study whose samples are answered; by default only short questions are. */
  readonly study?: Study;
  /** Answers prompts of no sample. */
  readonly otherwise?: (prompt: string) => string;
  /** The profile to serve, with or without `sim:` before it; all of them by default. */
  readonly profile?: string;
  /**
   * The port; 0 takes any that is free. Range: 0 to 65,535.
   *
   * @default {0}
   */
  readonly port?: number;
  /** The key that requests must send; none is needed by default. */
  readonly apiKey?: string;
  /** Refuse prompts with more tokens of cl100k_base than this. */
  readonly contextTokens?: number;
}

/** A running server. */
interface SimulatedServer extends AsyncDisposable {
  /** The base URL for OpenAI clients, such as `http://127.0.0.1:8123/v1`. */
  readonly url: string;
  readonly port: number;
  /** Stops it once the requests in flight are answered. */
  close(): Promise<void>;
}

/**
 * Serves the simulated reader on 127.0.0.1 with OpenAI's interface: `/v1/chat/completions` and `/v1/completions`,
 * streamed or not, and `/v1/models`.
 *
 * Samples of its study are found by the hash of their prompt; other long prompts are unknown. Stop texts and token limits are
 * respected, and a last assistant message is continued. Errors have OpenAI's shape. The same prompt always gets the same reply. Requests for another host than this machine are refused, so that no page in a browser
 * reaches it under a name of its own; so are those of pages of other sites, and bodies that are not JSON.
 *
 * @throws {RangeError} If there is no such profile, or an option is outside its range.
 * @throws {Error} If the port is taken.
 */
export async function serveSimulated(options: ServeOptions = {}): Promise<SimulatedServer> {
  const { profile, port = 0, contextTokens = Infinity, apiKey } = options;
  const profiles = profile === undefined ? PROFILE_NAMES : [openProfile(profile).name];
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`Cannot serve as port must be a whole number from 0 to 65535: current value is ${port}`);
  }
  const settings = {
    profiles,
    samples: serveSamples(
      options.study === undefined ? [] : await makeSamples(options.study, options),
      options.otherwise,
    ),
    tokenizer: await openEncoding("cl100k_base"),
    contextTokens,
    apiKey,
  };
  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const responded = respond(request, { response, settings }).catch(() => void response.destroy())
      .finally(() => underWay.delete(responded));
    underWay.add(responded);
  });
  const own = await listen(server, port);
  const close = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    await Promise.all(underWay);
    // Clients keep connections open for requests that will not come.
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${own}/v1`, port: own, close, [Symbol.asyncDispose]: close };
}

async function listen(server: Server, port: number): Promise<number> {
  const failed = once(server, "error").then(([error]) => {
    throw error;
  });
  server.listen(port, "127.0.0.1");
  try {
    await Promise.race([once(server, "listening"), failed]);
  } catch (cause) {
    const { code } = cause as { readonly code?: string };
    if (code !== "EADDRINUSE" && code !== "EACCES") throw cause;
    const wanted = code === "EADDRINUSE" ? "free" : "one that this user may listen on";
    throw new Error(`Cannot serve as port must be ${wanted}: current value is ${port}`, { cause });
  }
  return (server.address() as AddressInfo).port;
}

/** Answers one request; one whose client has gone is let go. */
async function respond(
  request: IncomingMessage,
  { response, settings }: { readonly response: ServerResponse; readonly settings: ServerSettings },
): Promise<void> {
  const { method = "", url = "/", headers: { host, authorization, origin, "content-type": contentType } } = request;
  const answer = await answerRequest(
    { method, path: url, host, authorization, origin, contentType, body: () => readBody(request) },
    settings,
  );
  if (answer === undefined) return void request.destroy();
  const gone = once(response, "close");
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const bytes of answer.body ?? []) {
    if (!response.write(bytes)) await Promise.race([gone, once(response, "drain")]);
    if (response.destroyed) return;
  }
  await Promise.race([gone, new Promise<void>((resolve) => response.end(resolve))]);
  // What is left of a body that was refused is not waited for.
  if (!request.complete) request.destroy();
}

/** The most bytes of a body: more than a prompt of ten million tokens has. */
const MOST_BYTES = 64 * 2 ** 20;

/** Reads a body; `undefined` where it is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > MOST_BYTES) return undefined;
    parts.push(part);
  }
  return await new Blob(parts as Uint8Array<ArrayBuffer>[]).text();
}
