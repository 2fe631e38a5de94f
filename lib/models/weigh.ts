import { type ChatMessage, renderMessages, renderText } from "./chat_templates.ts";
import { requestFields } from "./endpoint_options.ts";
import { fieldsOf, listOf, wholeOf } from "./json.ts";
import { readUsage } from "./protocols/normal_form.ts";
import { FailedCall } from "./protocols/refusals.ts";
import type { Habits } from "./send.ts";
import type { ServerParts } from "./server_paths.ts";
import type { Fields } from "@/lib/base/mod.ts";
import { type Sample, userPrompt } from "@/lib/generators/mod.ts";
import {
  answerInReply,
  type Likelihood,
  type LikelihoodWay,
  type RightAnswer,
  tokensAtEnd,
  type WeighedAnswer,
  type WeighedToken,
} from "@/lib/scorers/mod.ts";

/** Sends a request to a path of the API, or to one beside it, and returns the reply's JSON. Rejects with a {@linkcode FailedCall}. */
type Call = (path: string, body: Fields, isRoot?: boolean) => Promise<Fields>;

/** The parts of an endpoint that weighing uses. */
export interface WeighParts extends ServerParts {
  readonly habits: Habits;
  /** Opens such calls; without `tokens`, those of the prompt, they are short questions with a time limit of their own. */
  readonly callsOf: (sending: { readonly tokens?: number; readonly signal?: AbortSignal | undefined }) => Call;
  /** Makes the request for a reply. */
  readonly bodyOf: (question: Pick<Sample, "prompt" | "answerRoom">) => Fields;
}

/** Weighs right answers after a prompt, by the first way that the server has. */
export interface Weigher {
  /** Finds that way with a short question; `undefined` if there is none. Rejects if the server does not answer. */
  findWay(signal?: AbortSignal): Promise<LikelihoodWay | undefined>;
  weigh(sample: Sample, answers: readonly RightAnswer[], signal?: AbortSignal): Promise<Likelihood>;
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
  readonly call: Call;
}

/** Returns the tokens of the text up to the answer's end; `undefined` if the server does not give them. */
type Weigh = (answer: string, asked: Asked) => Promise<readonly WeighedToken[] | undefined>;

/** The ways in the order in which they are tried: those of one call first. Some are of texts alone, or of chats alone. */
const WAYS: readonly (readonly [name: LikelihoodWay, weigh: Weigh, isOfTexts?: boolean])[] = [
  // vLLM, SGLang, and OpenAI's older models. One token is written, as some servers refuse none.
  ["echo", weighByEcho, true],
  ["prompt_logprobs", weighByPrompt, false],
  ["input_token_logprobs", weighByInput, true],
  ["grammar", weighByGrammar],
  ["token by token", weighTokenByToken],
  ["reply tokens", weighReply],
];

/** A prompt whose answer every model finds probable. */
const TRIED = { prompt: userPrompt("The grass is green. The grass is green. The grass is"), answerRoom: 8 };
const TRIED_ANSWER = { text: "green", parts: [[0, 5]] } as const;

/** Failures by which a server shows that it has no such path or field. */
const NOT_OFFERED: readonly string[] = ["bad_request", "not_found", "server", "bad_reply"];

export function openWeigher({ options, template, habits, bodyOf, callsOf }: WeighParts): Weigher {
  const { protocol: { hasChatTemplate }, answerPrefix, model, budgetField } = options;
  function ask(question: Pick<Sample, "prompt" | "answerRoom">, call: Call): Asked {
    const messages = hasChatTemplate ? renderMessages(question.prompt, { template, answerPrefix }) : undefined;
    const last = messages?.at(-1);
    const started = last?.role === "assistant" ? last.content : "";
    const fields = { ...requestFields(options), model, [budgetField]: 1 };
    const before = messages === undefined ? renderText(question.prompt, template) : started;
    return { before, messages, fields, replyBody: bodyOf(question), call };
  }
  async function findWay(call: Call): Promise<LikelihoodWay | undefined> {
    for (const [name, weigh, isOfTexts] of habits.way === undefined ? WAYS : []) {
      if (isOfTexts === hasChatTemplate) continue;
      try {
        await weighAnswers(weigh, [TRIED_ANSWER], ask(TRIED, call));
        habits.way = name;
        break;
      } catch (error) {
        if (!(error instanceof FailedCall && NOT_OFFERED.includes(error.outcome.failure))) throw error;
      }
    }
    return habits.way;
  }
  return {
    findWay: (signal) => findWay(callsOf({ signal })),
    async weigh(sample, answers, signal): Promise<Likelihood> {
      const call = callsOf({ signal, tokens: sample.promptTokens + sample.answerRoom });
      const way = await findWay(call);
      if (way === undefined) {
        throw refuse("The server gives no log-probabilities, neither of a given text nor of its replies");
      }
      const start = performance.now();
      let [calls, promptTokens, cachedTokens] = [0, 0, 0];
      const asked = ask(sample, async (...request) => {
        calls++;
        const reply = await call(...request);
        const usage = readUsage(reply["usage"] ?? reply["meta_info"]);
        promptTokens += usage.promptTokens ?? 0;
        cachedTokens += usage.cachedTokens ?? 0;
        return reply;
      });
      const weighed = await weighAnswers(WAYS.find(([name]) => name === way)![1], answers, asked);
      const latencyMs = Math.round(performance.now() - start);
      return { kind: "likelihood", way, answers: weighed, latencyMs, calls, promptTokens, cachedTokens };
    },
  };
}

function refuse(message: string): FailedCall {
  return new FailedCall({ kind: "failure", failure: "bad_request", message, canRetry: false });
}

/** Weighs answers one after the other; those in a reply need one call together. */
async function weighAnswers(weigh: Weigh, answers: readonly RightAnswer[], asked: Asked): Promise<WeighedAnswer[]> {
  // What a model writes first: a space after a letter, a digit or a sign of Latin text.
  const lead = /[!-~]$/.test(asked.before) ? " " : "";
  const weighed: WeighedAnswer[] = [];
  for (const { text: plain, parts } of answers) {
    const text = lead + plain;
    const tokens = await weigh(text, asked);
    const isOfReply = weigh === weighReply;
    const own = isOfReply ? tokens : tokens && tokensAtEnd(tokens, text);
    if (own === undefined || own.every(([, logprob]) => logprob === null)) {
      throw refuse("The server's log-probabilities cannot be read: their tokens do not spell the answer");
    }
    if (isOfReply) return answers.map((each) => answerInReply(each, own));
    weighed.push({ text, parts: parts.map(([from, to]) => [from + lead.length, to + lead.length]), tokens: own });
  }
  return weighed;
}

async function weighByEcho(answer: string, { before, fields, call }: Asked): ReturnType<Weigh> {
  const reply = await call("/completions", { ...fields, prompt: before + answer, echo: true, logprobs: 1 });
  const written = wholeOf(fieldsOf(reply["usage"])["completion_tokens"]) ?? 1;
  return listed(logprobsOf(reply))?.slice(0, -written);
}

/** vLLM's `prompt_logprobs`. */
async function weighByPrompt(answer: string, { messages = [], fields, call }: Asked): ReturnType<Weigh> {
  const reply = await call("/chat/completions", { ...fields, ...continued(messages, answer), "prompt_logprobs": 0 });
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
async function weighByInput(answer: string, { before, call }: Asked): ReturnType<Weigh> {
  const sampling = { "sampling_params": { temperature: 0, "max_new_tokens": 1 } };
  const logprobs = { "return_logprob": true, "logprob_start_len": 0, "return_text_in_logprobs": true };
  const reply = await call("/generate", { text: before + answer, ...sampling, ...logprobs }, true);
  const found = fieldsOf(reply["meta_info"])["input_token_logprobs"];
  if (!Array.isArray(found)) return undefined;
  return found.map((entry) => Array.isArray(entry) ? tokenOf(entry[2], entry[0]) : tokenOf("", null));
}

/** llama.cpp: a grammar of the answer's token numbers, so that one call writes them after the cached prompt. */
async function weighByGrammar(answer: string, asked: Asked): ReturnType<Weigh> {
  const split = await splitAnswer(answer, asked);
  if (split === undefined) return undefined;
  const grammar = `root ::= ${split.own.map((id) => `<[${id}]>`).join(" ")}`;
  return await writeTokens(split.own, { prompt: split.prompt, grammar }, asked);
}

/** llama.cpp before it had such grammars: a call for each token, which a bias makes certain; its probability is without the bias. */
async function weighTokenByToken(answer: string, asked: Asked): ReturnType<Weigh> {
  const split = await splitAnswer(answer, asked);
  if (split === undefined) return undefined;
  const tokens: WeighedToken[] = [];
  for (const [at, id] of split.own.entries()) {
    const body = { prompt: [...split.prompt, ...split.own.slice(0, at)], "logit_bias": [[id, 1e5]] };
    const written = await writeTokens([id], body, asked);
    if (written === undefined) return undefined;
    tokens.push(...written);
  }
  return tokens;
}

/** Splits a prompt and its answer into llama.cpp's tokens, of which the answer has those from the first that differs. */
async function splitAnswer(
  answer: string,
  { before, messages, call }: Asked,
): Promise<{ readonly prompt: readonly number[]; readonly own: readonly number[] } | undefined> {
  const made = messages === undefined ? { prompt: before } : await call("/apply-template", { messages }, true);
  const lists: number[][] = [];
  for (const end of ["", answer]) {
    const body = { content: `${made["prompt"]}${end}`, "add_special": true, "parse_special": true };
    const reply = await call("/tokenize", body, true);
    const { tokens } = reply;
    if (!Array.isArray(tokens) || !tokens.every((token) => Number.isInteger(token))) return undefined;
    lists.push(tokens);
  }
  const [alone = [], whole = []] = lists;
  const differing = whole.findIndex((id, at) => id !== alone[at]);
  return { prompt: whole.slice(0, differing), own: whole.slice(differing) };
}

/** Asks llama.cpp to write tokens, and returns them if it wrote those. */
async function writeTokens(own: readonly number[], body: Fields, { fields, call }: Asked): ReturnType<Weigh> {
  const room = { "max_tokens": own.length, "cache_prompt": true, logprobs: 1, stop: [] };
  const reply = await call("/completions", { ...fields, ...body, ...room });
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
async function weighReply(_answer: string, { messages, replyBody, call }: Asked): ReturnType<Weigh> {
  const reply = messages === undefined
    ? await call("/completions", { ...replyBody, logprobs: 1 })
    : await call("/chat/completions", { ...replyBody, logprobs: true });
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
