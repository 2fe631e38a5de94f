import type { Fields } from "@/lib/base/mod.ts";
import type { Send } from "./protocols/protocol.ts";
import type { FailedOutcome } from "./protocols/refusals.ts";

/** Fields that are left out if a server refuses them: the answers stay what was asked for. */
const OPTIONAL: readonly string[] = ["temperature", "top_p", "seed", "logprobs", "top_logprobs"];

/** The other names of an output budget. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "max_tokens": "max_completion_tokens",
  "max_completion_tokens": "max_tokens",
};

/** The flags of fields without which answers would be others. */
const FLAGS: Readonly<Record<string, string>> = {
  "max_tokens": "--api",
  "max_completion_tokens": "--api",
  "reasoning_effort": "--reasoning",
  reasoning: "--reasoning",
  thinking: "--reasoning",
  stop: "--stop",
  "stop_sequences": "--stop",
  "continue_final_message": "--continue-flags",
};

/** Words that refuse a field itself. */
const UNKNOWN =
  /unsupported|not supported|does(?:n't| not) support|unrecogni[sz]ed|unknown|unexpected|deprecated|not permitted|not allowed|not accept|no longer|\bextra\b|\binstead\b|not recogni[sz]ed|不支持/i;

/** Words that may also refuse a value; without the field the server chooses one that it takes. */
const UNFIT = /only|must|should|invalid|cannot|not valid|incompatible|forbidden|not available|无效|不合法|非法/i;

/** Finds the field of a request that a server refuses; `undefined` if the refusal names none. */
export function rejectedField({ failure, message, field }: FailedOutcome, body: Fields): string | undefined {
  if (failure !== "bad_request") return undefined;
  const listed = [...(field === undefined ? [] : [field]), ...Object.keys(body)];
  const isNamed = (name: string): boolean =>
    new RegExp(`(?<![\\w-])${RegExp.escape(name)}(?![\\w-])`, "i").test(message);
  return listed.find((name) =>
    Object.hasOwn(body, name) && !["model", "messages", "prompt", "input", "system"].includes(name) &&
    (field === name || isNamed(name)) &&
    (UNKNOWN.test(message) || (OTHER_NAMES[name] === undefined && (field === name || UNFIT.test(message))))
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
      const instead = OTHER_NAMES[name];
      const canReplace = instead !== undefined && budgetFields.includes(instead) && !refused.has(instead);
      if (!canReplace && !OPTIONAL.includes(name)) {
        const flag = FLAGS[name] ?? "--extra-body";
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
