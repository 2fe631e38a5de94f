import { askEach, checkConcurrency, DEFAULT_CONCURRENCY, sampleOf, watchEndpoint } from "./ask_loop.ts";
import { type TextRequest, userPrompt } from "@/lib/generators/mod.ts";
import { fieldsOf, type Model, parseJson, replyOrigin } from "@/lib/models/mod.ts";
import { openLineFile } from "@/lib/records/mod.ts";
import { hashBytes } from "@/lib/studies/mod.ts";

/** Tokens kept free for a text. */
const ROOM = 400;

/** The least words of a text; a refusal or a title alone is shorter. */
const LEAST_WORDS = 20;

/**
 * Has a model write texts, each for a request, and keeps them as JSON lines: `text` (the request, a blank line, the text), `number`,
 * the prompt, the model and its settings, the origin, and the SHA-256 of the text. Failed calls and texts of fewer than 20 words are
 * asked for again by the next call. One process at a time may add to a file.
 *
 * @param options The file, and calls in flight at a time: 1 to 256.
 * @returns The texts that were asked for, those in the file, and the calls of this session without a text.
 * @throws {RangeError} If the file cannot be read or written, or the model cannot be asked at all.
 */
export async function writeTexts(
  requests: readonly TextRequest[],
  { model, file, concurrency = DEFAULT_CONCURRENCY }: {
    readonly model: Model;
    readonly file: string;
    readonly concurrency?: number;
  },
): Promise<Readonly<Record<"total" | "written" | "failed", number>>> {
  checkConcurrency("write texts", concurrency);
  const { lines, append, close } = await openLineFile(file, nameOfLine);
  const known = new Set(lines);
  const missing = requests.filter((each) => !known.has(nameOf(each)));
  const watch = watchEndpoint(model.name);
  let [written, failed] = [requests.length - missing.length, 0];
  let isOver = false;
  const write = async (asked: TextRequest): Promise<void> => {
    const answer = await model.ask(sampleOf(userPrompt(asked.prompt), { by: "texts", answerRoom: ROOM }));
    const error = watch.note(answer);
    if (error instanceof RangeError) throw error;
    isOver ||= error !== undefined;
    const text = answer.kind === "answer" && answer.finishReason !== "length" ? answer.text.trim() : "";
    if (text.split(/\s+/).length < LEAST_WORDS) {
      failed++;
      return;
    }
    const line = {
      ...{ text: `${asked.request}\n\n${text}`, number: asked.number, prompt: asked.prompt },
      ...{ model: model.name, settings: model.settings, origin: replyOrigin(model, answer) },
      sha256: hashBytes(new TextEncoder().encode(text)),
    };
    await append(JSON.stringify(line));
    written++;
  };
  try {
    await askEach(missing.values(), write, { concurrency, isEnding: () => isOver });
  } finally {
    await close();
  }
  return { total: requests.length, written, failed };
}

function nameOfLine(line: string): string | undefined {
  const { text, number } = fieldsOf(parseJson(line));
  return typeof text === "string" ? nameOf({ request: text.split("\n\n")[0]!, number: Number(number) }) : undefined;
}

/** Names a text in the file. */
function nameOf({ request, number }: Pick<TextRequest, "request" | "number">): string {
  return JSON.stringify([request, number]);
}
