import { countedAround } from "./window_fit.ts";
import { grouped, plural, shownText, someOf } from "@/lib/base/mod.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import { hasChatTemplate, type Model, type ServerReport } from "@/lib/models/mod.ts";
import type { Plan } from "@/lib/studies/mod.ts";

/** One fact of a run or a server, as a table shows it. */
export interface OverviewLine {
  readonly what: string;
  readonly text: string;
}

/** The findings about a server in words, and what a user should know of them. */
export interface Findings {
  readonly lines: readonly OverviewLine[];
  readonly warnings: readonly string[];
}

interface Found {
  readonly report: ServerReport;
  readonly model: Model;
  readonly name: string;
  readonly plan: Plan | undefined;
}

interface Question {
  readonly what: string;
  /** Returns the finding in words; `undefined` if there is none. */
  find(found: Found): string | undefined;
  /** Returns what a user should know or do; `undefined` if all is well. */
  warn?(found: Found): readonly string[] | string | undefined;
  /** The facts that should stay the same while a run lasts, with their names in a warning. */
  readonly kept?: Readonly<Partial<Record<keyof ServerReport, string>>>;
}

/** Tokens around a prompt that need no warning, such as the token that starts a text. */
const FEW_TOKENS = 2;

const WEIGHED: Readonly<Record<NonNullable<ServerReport["weighs"]>, string>> = {
  echo: "of a given text, in one call (echo)",
  "prompt_logprobs": "of a given text, in one call (prompt_logprobs)",
  "input_token_logprobs": "of a given text, in one call (input_token_logprobs)",
  grammar: "of a given text, in one call after the cached prompt (grammar of tokens)",
  "token by token": "of a given text, a call for each token after the cached prompt",
  "reply tokens": "of replies alone: a lower bound",
  simulated: "those of a simulated reader",
  "not at all": "none",
};

/** All that is asked of a server, in the order in which it is printed. */
const QUESTIONS: readonly Question[] = [
  {
    what: "Server",
    find: ({ report: { address, software = "unknown software" } }) => `${address}, ${software}`,
    warn: ({ report: { adapted = [] } }) =>
      adapted.map((text) => `The server refuses a request field, so requests are sent ${text}`),
    kept: { address: "address", software: "software" },
  },
  {
    what: "Model",
    find({ report: { isServed, served = [] }, name }): string {
      if (isServed === undefined) return `${name}: unknown whether served`;
      return `${name}: ${isServed ? "served" : `not among those served (${someOf(served)})`}`;
    },
    warn({ report: { isServed, served = [] }, name }): string | undefined {
      if (isServed !== false) return undefined;
      return `The server does not list "${name}", but ${someOf(served)}: another model may answer`;
    },
  },
  {
    what: "Window",
    find({ report: { window }, model }): string {
      const entry = model.window === undefined ? "" : `; its entry has ${grouped(model.window)}, which counts`;
      return `${window === undefined ? "unknown" : `${grouped(window)} tokens`}${entry}`;
    },
    kept: { window: "window" },
  },
  {
    what: "Around a prompt",
    find({ report: { templateTokens: tokens, readsPerSecond }, model }): string {
      const isLater = tokens === undefined && measuresTemplate(model) && readsPerSecond === undefined;
      if (isLater) return "measured once questions are asked, and taken off each length";
      if (tokens === undefined) return "not measured";
      const isTakenOff = tokens > 0 && countedAround(model) >= tokens;
      return `${tokens} ${plural(tokens, "token")} of the server's own${isTakenOff ? ", taken off each length" : ""}`;
    },
    warn({ report: { templateTokens: tokens, readsPerSecond }, model }): string | undefined {
      const counted = countedAround(model);
      if (tokens === undefined && readsPerSecond !== undefined) {
        return `The server does not count the tokens of a prompt, so it is unknown what it adds to one; lengths count ${counted} tokens for it, or those of --template-tokens`;
      }
      if (tokens === undefined || tokens - counted <= FEW_TOKENS) return undefined;
      const advice = hasChatTemplate(model.settings)
        ? "a new run counts them all, if --template-tokens is left out"
        : `--template-tokens ${tokens} counts them all`;
      return `The server adds ${tokens} tokens to each prompt, of which lengths count ${counted}: ${advice}`;
    },
    kept: { templateTokens: "number of tokens around a prompt" },
  },
  {
    what: "Answer prefix",
    find: ({ report }) => report.prefix,
    warn({ report: { prefix } }): string | undefined {
      if (prefix !== "not continued" && prefix !== "refused") return undefined;
      return `The start of the answer is ${prefix} as a message of the assistant: --continue-flags asks vLLM and SGLang for it, --answer-prefix appended does without`;
    },
    kept: { prefix: "treatment of an answer prefix" },
  },
  {
    what: "Replies",
    find({ report: { streams } }): string | undefined {
      if (streams === undefined) return undefined;
      return streams ? "streamed" : "whole: the server does not stream with token counts";
    },
    warn({ report: { repeatsPrompt } }): string | undefined {
      if (!repeatsPrompt) return undefined;
      return "The server's replies begin with their prompt, which is taken out before they are scored: a setting such as `echo` or `return_full_text` causes that";
    },
  },
  {
    what: "Log-probabilities",
    find: ({ report: { weighs } }) => weighs && WEIGHED[weighs],
    warn({ report: { weighs } }): string | undefined {
      if (weighs !== "reply tokens") return undefined;
      return "The server gives log-probabilities of its replies alone: an answer that a reply lacks counts as 0, so the measured probability is a lower bound";
    },
    kept: { weighs: "way to give log-probabilities" },
  },
  { what: "Tokens", find: ({ report, plan }) => tokensText(report, plan) },
  {
    what: "Speed",
    find({ report: { readsPerSecond: reads, writesPerSecond: writes } }): string {
      const read = reads === undefined ? [] : [`reads at least ${grouped(reads)} tokens a second`];
      const written = writes === undefined ? [] : [`writes at least ${grouped(writes)}`];
      return [...read, ...written].join(", ") || "not measured";
    },
  },
];

export function describeServer(
  report: ServerReport,
  model: Model,
  plan: Plan | undefined,
): Findings {
  const name = shownText(String(model.settings["model"] ?? model.name));
  const found: Found = { report, model, name, plan };
  const lines = QUESTIONS.map(({ what, find }) => ({ what, text: find(found) }));
  return {
    lines: lines.filter((line): line is OverviewLine => line.text !== undefined),
    warnings: QUESTIONS.flatMap(({ warn }) => warn?.(found) ?? []),
  };
}

/** Lists how a server differs from what it was when the run began. */
export function serverChanges(before: ServerReport, now: ServerReport): readonly string[] {
  return QUESTIONS.flatMap(({ kept = {} }) => Object.entries(kept)).flatMap(([key, name]) => {
    const [was, is] = [before, now].map((report) => report[key as keyof ServerReport]);
    if (was === undefined || is === undefined || was === is) return [];
    return [`The server's ${name} was ${shownText(String(was))} when the run began, and is ${is} now`];
  });
}

/** Formats a preflight for a shell: a line each, with aligned names, its warnings last. */
export function findingTexts({ lines, warnings }: Findings): readonly string[] {
  const width = Math.max(...lines.map(({ what }) => what.length));
  const texts = lines.map(({ what, text }) => `${what.padEnd(width)}  ${text}`);
  return [...texts, ...warnings.map((warning) => `Warning: ${warning}`)];
}

/** Makes a table of a preflight for a notebook, its warnings last. */
export function serverTable(
  { lines, warnings }: Findings,
  { name }: Pick<Model, "name">,
): Table {
  return table([...lines, ...warnings.map((text) => ({ what: "Warning", text }))], {
    title: `${name}: its server`,
    caption: "Found by a few short calls before the first question; the run's manifest keeps it.",
    origin: "measured",
    n: "one probe",
    columns: [{ field: "what", label: "What" }, { field: "text", label: "Found" }],
  });
}

/** Returns whether a preflight decides the tokens that lengths count for a chat template: if the user gave no number. */
export function measuresTemplate({ withTemplateTokens, settings }: Model): boolean {
  return withTemplateTokens !== undefined && hasChatTemplate(settings);
}

function tokensText({ canTokenize, tokenRatios }: ServerReport, plan: Plan | undefined): string {
  const by = canTokenize ? "counted by the server" : "not counted by the server";
  const ratios = Object.entries(tokenRatios).sort(([, left], [, right]) => left - right);
  if (plan === undefined || ratios.length === 0) return `${by}; not compared with local ones`;
  const [low, high] = [ratios[0]!, ratios.at(-1)!].map(([task, ratio]) => ({ task, text: ratio.toFixed(2) }));
  const range = low!.text === high!.text ? low!.text : `${low!.text} (${low!.task}) to ${high!.text} (${high!.task})`;
  return `${by}; one of ${plan.materials.tokenizer.name} is ${range} of the model's`;
}
