import { type Command, InvalidArgumentError, Option } from "commander";
import { type Flags, number, wholeNumber } from "./task_flags.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import { CHAT_TEMPLATES, type Model } from "@/lib/models/mod.ts";
import { type ModelChoice, openModel } from "@/lib/runs/mod.ts";

/** Flags of the model; each is named after the option it sets. */
function modelOptions(): Option[] {
  return [
    new Option("--model <name>", "the model as its server calls it, or sim:ideal, sim:gpt-4 … for the simulated reader")
      .default("sim:ideal"),
    new Option(
      "--base-url <url>",
      "the address before /chat/completions; OPENAI_BASE_URL, then OpenAI's own, unless given",
    ),
    new Option("--api <kind>", "which interface is asked").choices(["chat", "completions"]),
    new Option("--template <name>", "chat template for completions").choices([...CHAT_TEMPLATES]),
    new Option("--system <text>", "a system message"),
    new Option("--answer-prefix <place>", "where the start of the answer goes").choices([
      "assistant",
      "appended",
      "none",
    ]),
    new Option("--continue-flags", "ask vLLM or SGLang to continue the assistant's message"),
    new Option("--stop <texts>", "texts to stop at, parted by |").argParser((text) => text.split("|")),
    new Option("--temperature <number>", "in [0, 2]; none leaves it out").argParser((text) =>
      text === "none" ? null : number(0, 2)(text)
    ),
    new Option("--top-p <number>", "in (0, 1]").argParser(number(0, 1)),
    new Option("--sampling-seed <n>", "the server's own seed").argParser(wholeNumber(Number.MIN_SAFE_INTEGER)),
    new Option("--max-tokens <n>", "output budget; the task's answer room unless given").argParser(wholeNumber(1)),
    new Option("--thinking-tokens <n>", "added to the output budget for models that think").argParser(wholeNumber(0)),
    new Option("--thinking-inside", "count the thinking tokens as part of the length"),
    new Option("--budget-field <name>", "the field for the output budget").choices([
      "max_tokens",
      "max_completion_tokens",
    ]),
    new Option("--template-tokens <n>", "tokens that the server's own template adds").argParser(wholeNumber(0)),
    new Option("--extra-body <json>", "further fields of the request").argParser(parseObject),
    new Option(
      "--header <name:value>",
      "a further header, as often as wanted; secrets such as Azure's api-key rather in OPENAI_CUSTOM_HEADERS, a line each",
    ).argParser(collectHeader),
    new Option("--timeout <seconds>", "time for one reply").argParser(number(0.001, 86_400)),
    new Option("--attempts <n>", "how often one question is sent at most, after busy or broken servers").argParser(
      wholeNumber(1, 100),
    ),
    new Option("--longest-wait <seconds>", "the longest wait before a question is sent again, as Retry-After asks")
      .argParser(number(0, 86_400)),
  ];
}

/** Adds the flags that say whom to ask and how. */
export function addModelFlags(command: Command): Command {
  for (const option of modelOptions()) {
    command.addOption(option.helpGroup("The model (its key is read from OPENAI_API_KEY):"));
  }
  return command;
}

/** Opens the model that the flags name. */
export function openFlaggedModel(flags: Flags, benchmarks?: readonly Benchmark[]): Model {
  const { samplingSeed, timeout, longestWait, header, ...same } = flags;
  const names = modelOptions().map((option) => option.attributeName());
  const given = Object.entries(same).filter(([name, value]) => names.includes(name) && value !== undefined);
  const choice = {
    ...Object.fromEntries(given),
    ...(samplingSeed === undefined ? {} : { seed: samplingSeed }),
    ...(timeout === undefined ? {} : { timeoutMs: Math.ceil(Number(timeout) * 1000) }),
    ...(longestWait === undefined ? {} : { longestWaitMs: Math.ceil(Number(longestWait) * 1000) }),
    ...(header === undefined ? {} : { headers: header }),
  };
  return openModel(choice as unknown as ModelChoice, (name) => Deno.env.get(name) || undefined, { benchmarks });
}

/** Adds a header to those before it; what is wrong with one is told without showing it, as it can hold a key. */
function collectHeader(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^\s*([^:\s]+)\s*:\s*(\S.*?)\s*$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new RangeError("Cannot add the header as it must be a name, a colon and a value: current value is not shown");
  }
  return { ...before, [name.toLowerCase()]: value };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below, for text that is no JSON and for JSON that is no object alike.
  }
  throw new InvalidArgumentError("It must be a JSON object.");
}
