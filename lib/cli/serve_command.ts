import type { Command } from "commander";
import { serveSimulated } from "@/lib/models/mod.ts";
import type { Output } from "./_guard.ts";
import { number, wholeNumber } from "./_parsers.ts";

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
      output.tell(`Serving ${flags.profile ?? "every profile"} of the simulated reader; Ctrl-C ends it`);
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
