import type { Command } from "commander";
import type { Output } from "./output.ts";
import { handleRequest } from "./server_messages.ts";
import { number, wholeNumber } from "./task_flags.ts";
import { openProfile, PROFILE_NAMES } from "@/lib/models/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { type EncodingName, openEncoding } from "@/lib/text/mod.ts";

interface ServeFlags {
  readonly profile?: string;
  readonly port: number;
  readonly failures: number;
  readonly contextTokens?: number;
}

/** Adds `fathom serve`: the simulated reader as an endpoint on this machine. */
export function addServeCommand(program: Command, output: Output): void {
  program.command("serve")
    .summary("serve the simulated reader as an OpenAI-compatible endpoint")
    .description(
      "Answers /v1/chat/completions, /v1/completions and /v1/models on 127.0.0.1, so that any OpenAI client can be tried\n" +
        "without a key, a GPU or a network. It is no language model. Ctrl-C ends it.",
    )
    .option("--profile <name>", "the one profile to serve, such as ideal or gpt-4; all of them unless given")
    .option("--port <n>", "the port; 0 takes any that is free", wholeNumber(0, 65_535), 8123)
    .option("--failures <share>", "share of requests that fail on purpose with 429 or 500", number(0, 1), 0)
    .option("--context-tokens <n>", "refuse longer prompts, as a model with a small window does", wholeNumber(1))
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom serve --profile ideal --port 8123\n" +
        "  fathom run --tasks vt --lengths 4K --model sim:ideal --base-url http://127.0.0.1:8123/v1",
    )
    .action(async (flags: ServeFlags) => {
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
  /** The profile to serve, with or without `sim:` before it; all of them unless given. */
  readonly profile?: string;
  /**
   * The port; 0 takes any that is free. Range: 0 to 65,535.
   *
   * @default {0}
   */
  readonly port?: number;
  /**
   * The address of this machine to listen at; only the machine itself can reach it.
   *
   * @default {"127.0.0.1"}
   */
  readonly hostname?: "127.0.0.1" | "localhost" | "::1";
  /** A key that requests must bear; any or none will do unless given. */
  readonly apiKey?: string;
  /**
   * The share of requests that fail on purpose, with status 429 or 500, so that clients can be tried. Range: 0 to 1.
   *
   * @default {0}
   */
  readonly failures?: number;
  /** The most tokens that a prompt may have; longer ones are refused. No limit unless given. */
  readonly contextTokens?: number;
  /**
   * Whose tokens are counted and limited.
   *
   * @default {"cl100k_base"}
   */
  readonly encoding?: EncodingName;
}

/** A running server. */
export interface SimulatedServer {
  /** The base URL for OpenAI clients, such as `http://127.0.0.1:8123/v1`. */
  readonly url: string;
  /** The port it listens at. */
  readonly port: number;
  /** Ends it, once the requests under way are answered. */
  close(): Promise<void>;
}

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

/**
 * Serves the simulated reader on this machine as OpenAI's interface: `/v1/chat/completions` and `/v1/completions`, streamed or
 * not, and `/v1/models`. It needs permission to listen there.
 *
 * Stop texts and token limits are kept to; a last message of the assistant's is continued. What is wrong with a request is
 * told in OpenAI's shape of errors. The same prompt always gets the same reply.
 *
 * @param options What to serve, and where.
 * @returns The server, listening.
 * @throws {RangeError} If there is no such profile or encoding, or an option is outside its range.
 * @throws {Error} If the port is taken.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const server = await serveSimulated({ profile: "ideal" });
 * const models = await (await fetch(`${server.url}/models`)).json();
 * equal(models.data[0].id, "sim:ideal");
 * await server.close();
 * ```
 */
export async function serveSimulated(options: ServeOptions = {}): Promise<SimulatedServer> {
  const { profile, port = 0, hostname = "127.0.0.1", failures = 0, contextTokens = Infinity, apiKey } = options;
  const profiles = profile === undefined ? PROFILE_NAMES : [openProfile(profile).name];
  checkOptions({ port, hostname, failures });
  const tokenizer = await openEncoding(options.encoding ?? "cl100k_base");
  const settings = {
    profiles,
    tokenizer,
    failures,
    draw: stream("simulated server", "failures"),
    contextTokens,
    ...(apiKey === undefined ? {} : { apiKey }),
  };
  const server = listen({ port, hostname }, (request) => handleRequest(request, settings));
  const host = hostname === "::1" ? "[::1]" : hostname;
  return {
    url: `http://${host}:${server.addr.port}/v1`,
    port: server.addr.port,
    close: () => server.shutdown(),
  };
}

function checkOptions(
  { port, hostname, failures }: { readonly port: number; readonly hostname: string; readonly failures: number },
): void {
  if (!LOOPBACK.includes(hostname)) {
    throw new RangeError(
      `Cannot serve as hostname must be one of ${LOOPBACK.join(", ")}: current value is "${hostname}"`,
    );
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`Cannot serve as port must be a whole number from 0 to 65535: current value is ${port}`);
  }
  if (!(failures >= 0 && failures <= 1)) {
    throw new RangeError(`Cannot serve as failures must be in [0, 1]: current value is ${failures}`);
  }
}

function listen(
  place: { readonly port: number; readonly hostname: string },
  handler: (request: Request) => Promise<Response>,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ ...place, onListen: () => {} }, handler);
  } catch (cause) {
    const isTaken = cause instanceof Deno.errors.AddrInUse;
    if (!isTaken && !(cause instanceof Deno.errors.PermissionDenied)) throw cause;
    const wanted = isTaken ? "free" : "one that this user may listen at";
    throw new Error(`Cannot serve as port must be ${wanted}: current value is ${place.port}`, { cause });
  }
}
