import { renderMessages, renderText } from "./chat_templates.ts";
import { requestFields } from "./endpoint_options.ts";
import { fieldsOf, listOf, wholeOf } from "./json.ts";
import type { ChatMessage } from "./chat_templates.ts";
import { readUsage } from "./protocols/normal_form.ts";
import type { FailedOutcome } from "./protocols/refusals.ts";
import type { ServerParts } from "./server_paths.ts";
import type { Fields } from "@/lib/base/mod.ts";
import { type Sample, userPrompt } from "@/lib/generators/mod.ts";
import {
  type Likelihood,
  type LikelihoodWay,
  type RightAnswer,
  tokensAtEnd,
  type WeighedAnswer,
  type WeighedToken,
} from "@/lib/scorers/mod.ts";

/** Sends a request to a path of the API, or to one beside it, and returns the reply's JSON, or why there is none. */
export type CallPath = (
  path: string,
  body: Fields,
  /** `tokens` of the prompt; left out for a short question, which has its own time limit. */
  options: {
    readonly isRoot?: boolean;
    readonly tokens?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  },
) => Promise<Fields | FailedOutcome>;

/** The parts of an endpoint that weighing uses. */
export interface WeighParts extends ServerParts {
  readonly call: CallPath;
  /** Makes the request for a reply. */
  readonly bodyOf: (question: Question) => Fields;
}

type Question = Pick<Sample, "prompt" | "answerRoom">;

/** Weighs right answers after a prompt, by the first way that the server has. */
export interface Weigher {
  /** Finds that way with a short question; `undefined` if there is none. */
  findWay(signal?: AbortSignal): Promise<LikelihoodWay | undefined | FailedOutcome>;
  weigh(
    sample: Sample,
    answers: readonly RightAnswer[],
    signal?: AbortSignal,
  ): Promise<Likelihood | FailedOutcome>;
}

/** What an answer is weighed after. */
interface Asked {
  /** The text that the answer follows: all of a completion's prompt, or the start of the assistant's message in a chat. */
  readonly before: string;
  /** The messages of a chat, without the answer. */
  readonly messages: readonly ChatMessage[] | undefined;
  /** The fields of a request for one token, without its prompt, and the whole request for a reply. */
  readonly fields: Fields;
  readonly replyBody: Fields;
  readonly call: (path: string, body: Fields, isRoot?: boolean) => Promise<Fields | FailedOutcome>;
}

/** The tokens of the text up to the answer's end; `undefined` if the server does not give them. */
type Found = readonly WeighedToken[] | undefined | FailedOutcome;

type Weigh = (answer: string, asked: Asked) => Promise<Found>;

/** The ways in the order in which they are tried: those of one call first. Some are of texts alone, or of chats alone. */
const WAYS: Readonly<Partial<Record<LikelihoodWay, { readonly isOfTexts?: boolean; readonly weigh: Weigh }>>> = {
  // vLLM, SGLang, and OpenAI's older models. One token is written, as some servers refuse none.
  echo: { isOfTexts: true, weigh: weighByEcho },
  "prompt_logprobs": { isOfTexts: false, weigh: weighByPrompt },
  "input_token_logprobs": { isOfTexts: true, weigh: weighByInput },
  grammar: { weigh: weighByGrammar },
  "token by token": { weigh: weighTokenByToken },
  "reply tokens": { weigh: weighReply },
};

/** A prompt whose answer every model finds probable. */
const TRIED = { prompt: userPrompt("The grass is green. The grass is green. The grass is"), answerRoom: 8 };
const TRIED_ANSWER = { text: "green", parts: [[0, 5]] } as const;

/** Failures by which a server shows that it has no such path or field. */
const NOT_OFFERED: readonly string[] = ["bad_request", "not_found", "server", "bad_reply"];

export function openWeigher(parts: WeighParts): Weigher {
  const { options, template, bodyOf } = parts;
  const { protocol: { hasChatTemplate }, answerPrefix, model, budgetField } = options;
  let known: LikelihoodWay | undefined;
  function ask(question: Question, call: Asked["call"]): Asked {
    const messages = hasChatTemplate ? renderMessages(question.prompt, { template, answerPrefix }) : undefined;
    const last = messages?.at(-1);
    const started = last?.role === "assistant" ? last.content : "";
    const fields = { ...requestFields(options), model, [budgetField]: 1 };
    const before = messages === undefined ? renderText(question.prompt, template) : started;
    return { before, messages, fields, replyBody: bodyOf(question), call };
  }
  async function findWay(signal?: AbortSignal): Promise<LikelihoodWay | undefined | FailedOutcome> {
    if (known !== undefined) return known;
    const asked = ask(TRIED, (path, body, isRoot = false) => parts.call(path, body, { isRoot, signal }));
    for (const [name, { isOfTexts }] of Object.entries(WAYS) as [LikelihoodWay, NonNullable<typeof WAYS.echo>][]) {
      if (isOfTexts === hasChatTemplate) continue;
      const found = await weighAnswers(name, [TRIED_ANSWER], asked);
      if (!isFailed(found)) return known = name;
      if (!NOT_OFFERED.includes(found.failure)) return found;
    }
    return undefined;
  }
  return {
    findWay,
    async weigh(sample, answers, signal): Promise<Likelihood | FailedOutcome> {
      const way = await findWay(signal);
      if (typeof way !== "string") {
        return way ?? refuse("The server gives no log-probabilities, neither of a given text nor of its replies");
      }
      const start = performance.now();
      let [calls, promptTokens, cachedTokens] = [0, 0, 0];
      const tokens = sample.promptTokens + sample.answerRoom;
      const asked = ask(sample, async (path, body, isRoot = false) => {
        calls++;
        const reply = await parts.call(path, body, { isRoot, tokens, signal });
        const usage = isFailed(reply) ? {} : readUsage(reply["usage"] ?? reply["meta_info"]);
        promptTokens += usage.promptTokens ?? 0;
        cachedTokens += usage.cachedTokens ?? 0;
        return reply;
      });
      const weighed = await weighAnswers(way, answers, asked);
      if (isFailed(weighed)) return weighed;
      const latencyMs = Math.round(performance.now() - start);
      return { kind: "likelihood", way, answers: weighed, latencyMs, calls, promptTokens, cachedTokens };
    },
  };
}

export function isFailed(value: unknown): value is FailedOutcome {
  return fieldsOf(value)["kind"] === "failure";
}

function refuse(message: string): FailedOutcome {
  return { kind: "failure", failure: "bad_request", message, canRetry: false };
}

/** Weighs answers one after the other; those in a reply need one call together. */
async function weighAnswers(
  way: LikelihoodWay,
  answers: readonly RightAnswer[],
  asked: Asked,
): Promise<readonly WeighedAnswer[] | FailedOutcome> {
  // What a model writes first: a space after a letter, a digit or a sign of Latin text.
  const lead = /[!-~]$/.test(asked.before) ? " " : "";
  const { weigh } = WAYS[way]!;
  const weighed: WeighedAnswer[] = [];
  for (const answer of answers) {
    const text = lead + answer.text;
    const isOfReply = way === "reply tokens";
    if (isOfReply && weighed.length > 0) break;
    const tokens = await weigh(text, asked);
    if (isFailed(tokens)) return tokens;
    const own = isOfReply ? tokens : tokens && tokensAtEnd(tokens, text);
    if (own === undefined || own.every(([, logprob]) => logprob === null)) {
      return refuse(
        `The log-probabilities of the answer's tokens cannot be read by ${way}: they do not spell the answer`,
      );
    }
    if (isOfReply) weighed.push(...answers.map((each) => inReply(each, own)));
    else {weighed.push({
        text,
        parts: answer.parts.map(([from, to]) => [from + lead.length, to + lead.length]),
        tokens: own,
      });}
  }
  return weighed;
}

/** Finds the parts of an answer in the model's reply; a part that it lacks has no place. */
function inReply({ text, parts }: RightAnswer, tokens: readonly WeighedToken[]): WeighedAnswer {
  const reply = tokens.map(([token]) => token).join("");
  const places = parts.map(([from, to]) => {
    const at = reply.indexOf(text.slice(from, to));
    return at < 0 ? [0, 0] as const : [at, at + to - from] as const;
  });
  return { text: reply, parts: places, tokens };
}

async function weighByEcho(answer: string, { before, fields, call }: Asked): Promise<Found> {
  const reply = await call("/completions", { ...fields, prompt: before + answer, echo: true, logprobs: 1 });
  if (isFailed(reply)) return reply;
  const written = wholeOf(fieldsOf(reply["usage"])["completion_tokens"]) ?? 1;
  return listed(logprobsOf(reply))?.slice(0, -written);
}

/** vLLM's `prompt_logprobs`. */
async function weighByPrompt(answer: string, { messages = [], fields, call }: Asked): Promise<Found> {
  const reply = await call("/chat/completions", { ...fields, ...continued(messages, answer), "prompt_logprobs": 0 });
  if (isFailed(reply)) return reply;
  const found = reply["prompt_logprobs"] ?? listOf(reply["choices"])[0]?.["prompt_logprobs"];
  if (!Array.isArray(found)) return undefined;
  return found.map((place) => {
    // Beside the token of the prompt, which is the last by rank, a server may list the most probable ones.
    const tokens = listOf(Object.values(fieldsOf(place)));
    const own = tokens.toSorted((left, right) => Number(left["rank"]) - Number(right["rank"])).at(-1);
    return tokenOf(own?.["decoded_token"], own?.["logprob"]);
  });
}

/** Adds an answer to the last message of a chat as vLLM and SGLang continue it. */
function continued(messages: readonly ChatMessage[], answer: string): Fields {
  const last = messages.at(-1);
  const isBegun = last?.role === "assistant";
  const content = (isBegun ? last.content : "") + answer;
  return {
    messages: [...isBegun ? messages.slice(0, -1) : messages, { role: "assistant", content }],
    "continue_final_message": true,
    "add_generation_prompt": false,
  };
}

/** SGLang's own path. */
async function weighByInput(answer: string, { before, call }: Asked): Promise<Found> {
  const sampling = { "sampling_params": { temperature: 0, "max_new_tokens": 1 } };
  const logprobs = { "return_logprob": true, "logprob_start_len": 0, "return_text_in_logprobs": true };
  const reply = await call("/generate", { text: before + answer, ...sampling, ...logprobs }, true);
  if (isFailed(reply)) return reply;
  const found = fieldsOf(reply["meta_info"])["input_token_logprobs"];
  if (!Array.isArray(found)) return undefined;
  return found.map((entry) => Array.isArray(entry) ? tokenOf(entry[2], entry[0]) : tokenOf("", null));
}

/** llama.cpp: a grammar of the answer's token numbers, so that one call writes them after the cached prompt. */
async function weighByGrammar(answer: string, asked: Asked): Promise<Found> {
  const split = await splitAnswer(answer, asked);
  if (split === undefined || isFailed(split)) return split;
  const grammar = `root ::= ${split.own.map((id) => `<[${id}]>`).join(" ")}`;
  return await writeTokens(split.own, { prompt: split.prompt, grammar }, asked);
}

/** llama.cpp before it had such grammars: a call for each token, which a bias makes certain; its probability is without the bias. */
async function weighTokenByToken(answer: string, asked: Asked): Promise<Found> {
  const split = await splitAnswer(answer, asked);
  if (split === undefined || isFailed(split)) return split;
  const { prompt, own } = split;
  const tokens: WeighedToken[] = [];
  for (const [at, id] of own.entries()) {
    const body = { prompt: [...prompt, ...own.slice(0, at)], "logit_bias": [[id, 1e5]] };
    const written = await writeTokens([id], body, asked);
    if (written === undefined || isFailed(written)) return written;
    tokens.push(...written);
  }
  return tokens;
}

/** Splits a prompt and its answer into llama.cpp's tokens, of which the answer has those from the first that differs. */
async function splitAnswer(
  answer: string,
  { before, messages, call }: Asked,
): Promise<{ readonly prompt: readonly number[]; readonly own: readonly number[] } | undefined | FailedOutcome> {
  const made = messages === undefined ? { prompt: before } : await call("/apply-template", { messages }, true);
  if (isFailed(made)) return made;
  const lists: number[][] = [];
  for (const end of ["", answer]) {
    const body = { content: `${made["prompt"]}${end}`, "add_special": true, "parse_special": true };
    const reply = await call("/tokenize", body, true);
    if (isFailed(reply)) return reply;
    const { tokens } = reply;
    if (!Array.isArray(tokens) || !tokens.every((token) => Number.isInteger(token))) return undefined;
    lists.push(tokens);
  }
  const [alone = [], whole = []] = lists;
  const differing = whole.findIndex((id, at) => id !== alone[at]);
  return { prompt: whole.slice(0, differing), own: whole.slice(differing) };
}

/** Asks llama.cpp to write tokens, and returns them if it wrote those. */
async function writeTokens(own: readonly number[], body: Fields, { fields, call }: Asked): Promise<Found> {
  const room = { "max_tokens": own.length, "cache_prompt": true, logprobs: 1, stop: [] };
  const reply = await call("/completions", { ...fields, ...body, ...room });
  if (isFailed(reply)) return reply;
  const content = listOf(logprobsOf(reply)["content"]);
  if (content.length !== own.length || content.some(({ id }, at) => id !== own[at])) return undefined;
  // A character can be split between tokens: it is that of the last.
  const decoder = new TextDecoder();
  return content.map(({ token, bytes, logprob }) => {
    const text = Array.isArray(bytes) ? decoder.decode(Uint8Array.from(bytes), { stream: true }) : token;
    return tokenOf(text, logprob);
  });
}

/** The model's own reply once more, with the log-probabilities of its tokens. */
async function weighReply(_answer: string, { messages, replyBody, call }: Asked): Promise<Found> {
  const reply = messages === undefined
    ? await call("/completions", { ...replyBody, logprobs: 1 })
    : await call("/chat/completions", { ...replyBody, logprobs: true });
  if (isFailed(reply)) return reply;
  const found = logprobsOf(reply);
  return Array.isArray(found["content"])
    ? listOf(found["content"]).map(({ token, logprob }) => tokenOf(token, logprob))
    : listed(found);
}

function logprobsOf(reply: Fields): Fields {
  return fieldsOf(listOf(reply["choices"])[0]?.["logprobs"]);
}

/** Reads the two lists of a completion. */
function listed({ tokens, "token_logprobs": logprobs }: Fields): readonly WeighedToken[] | undefined {
  if (!Array.isArray(tokens) || !Array.isArray(logprobs)) return undefined;
  return tokens.map((text, at) => tokenOf(text, logprobs[at]));
}

function tokenOf(text: unknown, logprob: unknown): WeighedToken {
  const isKnown = typeof logprob === "number" && Number.isFinite(logprob);
  return [typeof text === "string" ? text : "", isKnown ? Number(logprob.toFixed(6)) : null];
}
