import type { CommandEntry } from "@/lib/cli/commands.ts";
import type { Command } from "commander";
import { defined } from "@/lib/base/mod.ts";
import type { Output } from "@/lib/cli/output.ts";
import { answerRequest } from "./server_messages.ts";
import { wholeNumber } from "@/lib/cli/flag_values.ts";
import { addBenchmarkFlag, addSampleFlags, addTaskFlags, openBenchmarks, readStudyFlags } from "@/lib/cli/flags.ts";
import { openProfile, PROFILE_NAMES } from "@/lib/simulated/profiles.ts";
import { serveLocal } from "@/lib/exchange/local_server.ts";
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
 * respected, and a last assistant message is continued. Errors have OpenAI's shape. The same prompt always gets the same reply.
 *
 * @throws {RangeError} If there is no such profile.
 * @throws {Error} If the port is taken.
 */
export async function serveSimulated(options: ServeOptions = {}): Promise<SimulatedServer> {
  const { profile, port = 0, contextTokens = Infinity, apiKey } = options;
  const profiles = profile === undefined ? PROFILE_NAMES : [openProfile(profile).name];
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
  const { url, close } = await serveLocal((request, path) => answerRequest(request, path, settings), { port });
  return { url: `${url}/v1`, port: Number(new URL(url).port), close, [Symbol.asyncDispose]: close };
}
