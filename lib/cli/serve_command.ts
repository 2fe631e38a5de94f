import type { Command } from "commander";
import type { Output } from "./output.ts";
import { handleRequest } from "./server_messages.ts";
import { number, wholeNumber } from "./task_flags.ts";
import { openProfile, PROFILE_NAMES } from "@/lib/models/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { openEncoding } from "@/lib/text/mod.ts";

/** Adds `fathom serve`: the simulated reader as an endpoint on this machine. */
export function addServeCommand(program: Command, output: Output): void {
  program.command("serve")
    .summary("serve the simulated reader as an OpenAI-compatible endpoint")
    .description(
      "Answers /v1/chat/completions, /v1/completions and /v1/models on 127.0.0.1, so that you can try any OpenAI client " +
        "without a key, a GPU or a network. It is not a language model. Ctrl-C ends it.",
    )
    .option("--profile <name>", "the one profile to serve, such as ideal or gpt-4 (default: all)")
    .option("--port <n>", "the port; 0 takes any that is free", wholeNumber(0, 65_535), 8123)
    .option("--failures <share>", "share of requests that fail on purpose with 429 or 500", number(0, 1), 0)
    .option(
      "--context-tokens <n>",
      "the longest prompt to accept, as a model with a small window does (default: any)",
      wholeNumber(1),
    )
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom serve --profile ideal --port 8123\n" +
        "  fathom run --tasks vt --lengths 4K --model sim:ideal --base-url http://127.0.0.1:8123/v1\n" +
        "  lm_eval --model local-completions --tasks gsm8k --model_args " +
        "model=sim:ideal,base_url=http://127.0.0.1:8123/v1/completions,tokenizer_backend=none",
    )
    .action(async (flags: ServeOptions) => {
      const server = await serveSimulated(flags);
      await output.write(`${server.url}\n`);
      output.note(`Serving ${flags.profile ?? "every profile"} of the simulated reader; Ctrl-C ends it`);
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
export interface ServeOptions {
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
  /**
   * The share of requests that fail on purpose, with status 429 or 500. Range: 0 to 1.
   *
   * @default {0}
   */
  readonly failures?: number;
  /** Refuse prompts with more tokens of cl100k_base than this. */
  readonly contextTokens?: number;
}

/** A running server. */
interface SimulatedServer {
  /** The base URL for OpenAI clients, such as `http://127.0.0.1:8123/v1`. */
  readonly url: string;
  readonly port: number;
  /** Stops it once the requests in flight are answered. */
  close(): Promise<void>;
}

/**
 * Serves the simulated reader on 127.0.0.1 with OpenAI's interface: `/v1/chat/completions` and `/v1/completions`, streamed
 * or not, and `/v1/models`.
 *
 * Stop texts and token limits are respected, and a last assistant message is continued. Errors have OpenAI's shape. The
 * same prompt always gets the same reply.
 *
 * @throws {RangeError} If there is no such profile, or an option is outside its range.
 * @throws {Error} If the port is taken.
 */
export async function serveSimulated(options: ServeOptions = {}): Promise<SimulatedServer> {
  const { profile, port = 0, failures = 0, contextTokens = Infinity, apiKey } = options;
  const profiles = profile === undefined ? PROFILE_NAMES : [openProfile(profile).name];
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`Cannot serve as port must be a whole number from 0 to 65535: current value is ${port}`);
  }
  if (!(failures >= 0 && failures <= 1)) {
    throw new RangeError(`Cannot serve as failures must be in [0, 1]: current value is ${failures}`);
  }
  const settings = {
    profiles,
    tokenizer: await openEncoding("cl100k_base"),
    failures,
    draw: stream("simulated server", "failures"),
    contextTokens,
    apiKey,
  };
  const server = listen(port, (request) => handleRequest(request, settings));
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    port: server.addr.port,
    close: () => server.shutdown(),
  };
}

function listen(port: number, handler: (request: Request) => Promise<Response>): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, handler);
  } catch (cause) {
    const isTaken = cause instanceof Deno.errors.AddrInUse;
    if (!isTaken && !(cause instanceof Deno.errors.PermissionDenied)) throw cause;
    const wanted = isTaken ? "free" : "one that this user may listen on";
    throw new Error(`Cannot serve as port must be ${wanted}: current value is ${port}`, { cause });
  }
}
