import type { Fields } from "@/lib/base/mod.ts";
import type { Send } from "./protocols/protocol.ts";
import type { FailedOutcome } from "./protocols/refusals.ts";

/**
 * The flags of request fields, by which a user sends them or not. Without `isNeeded`, a field that a server refuses is left out, or
 * sent under the name `instead`: the answers stay what was asked for.
 */
const FIELDS: Readonly<Record<string, { readonly flag: string; readonly instead?: string; readonly isNeeded?: true }>> =
  {
    temperature: { flag: "--temperature none" },
    "top_p": { flag: "a command without --top-p" },
    seed: { flag: "a command without --sampling-seed" },
    "max_tokens": { flag: "--budget-field max_completion_tokens, or --reasoning", instead: "max_completion_tokens" },
    "max_completion_tokens": { flag: "--budget-field max_tokens", instead: "max_tokens" },
    logprobs: { flag: "--extra-body without logprobs" },
    "top_logprobs": { flag: "--extra-body without top_logprobs" },
    "reasoning_effort": { flag: "--reasoning", isNeeded: true },
    reasoning: { flag: "--reasoning", isNeeded: true },
    thinking: { flag: "--reasoning", isNeeded: true },
    stop: { flag: "--stop", isNeeded: true },
    "stop_sequences": { flag: "--stop", isNeeded: true },
    "continue_final_message": { flag: "--continue-flags", isNeeded: true },
  };

/** Words that refuse a field itself. */
const UNKNOWN =
  /unsupported|not supported|does(?:n't| not) support|unrecogni[sz]ed|unknown|unexpected|deprecated|not permitted|not allowed|not accept|no longer|\bextra\b|\binstead\b|not recogni[sz]ed|不支持/i;

/** Words that may also refuse a value; without the field the server chooses one that it takes. */
const UNFIT = /only|must|should|invalid|cannot|not valid|incompatible|forbidden|not available|无效|不合法|非法/i;

/** Finds the field of a request that a server refuses; `undefined` if the refusal names none. */
export function rejectedField({ failure, message, field }: FailedOutcome, body: Fields): string | undefined {
  if (failure !== "bad_request") return undefined;
  const listed = [...(field === undefined ? [] : [field]), ...Object.keys(FIELDS), ...Object.keys(body)];
  const isNamed = (name: string): boolean =>
    new RegExp(`(?<![\\w-])${RegExp.escape(name)}(?![\\w-])`, "i").test(message);
  return listed.find((name) =>
    Object.hasOwn(body, name) && !["model", "messages", "prompt", "input", "system"].includes(name) &&
    (field === name || isNamed(name)) &&
    (UNKNOWN.test(message) || (FIELDS[name]?.instead === undefined && (field === name || UNFIT.test(message))))
  );
}

/** The fields that a server has refused so far, by name, each with the field that is sent instead. */
export type RefusedFields = Map<string, string | undefined>;

/**
 * Returns a function that sends requests without the fields that the server has refused: such a request is sent again at once, and
 * all later ones are sent as the server takes them.
 */
export function adaptFields(send: Send, refused: RefusedFields, budgetFields: readonly string[]): Send {
  return async (body, signal) => {
    for (;;) {
      const sent = withoutRefused(body, refused);
      const outcome = await send(sent, signal);
      const name = outcome.kind === "failure" ? rejectedField(outcome, sent) : undefined;
      if (outcome.kind === "answer" || name === undefined) return outcome;
      const { flag = "--extra-body", instead, isNeeded = !Object.hasOwn(FIELDS, name) } = FIELDS[name] ?? {};
      if (isNeeded || (instead !== undefined && (!budgetFields.includes(instead) || refused.has(instead)))) {
        return { ...outcome, message: `${outcome.message}. The request field "${name}" is refused: see ${flag}` };
      }
      refused.set(name, instead);
    }
  };
}

export function withoutRefused(body: Fields, refused: RefusedFields): Fields {
  const fields = Object.entries(body).flatMap(([name, value]) => {
    if (!refused.has(name)) return [[name, value]];
    const instead = refused.get(name);
    return instead === undefined ? [] : [[instead, value]];
  });
  return Object.fromEntries(fields);
}

export function describeRefused(refused: RefusedFields): readonly string[] {
  return [...refused].map(([name, instead]) => instead === undefined ? `without ${name}` : `${instead} for ${name}`);
}

/** Returns what a user should know about refused fields, as {@linkcode describeRefused} has them, with the flags that do the same. */
export function refusedAdvice(adapted: readonly string[]): readonly string[] {
  return adapted.map((text) => {
    const flag = FIELDS[text.split(" ").at(-1)!]?.flag;
    return `The server refuses a request field, so requests are sent ${text}: ${flag} does the same from the start`;
  });
}
