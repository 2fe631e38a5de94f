import { createHash } from "node:crypto";
import { appendFile, readFile, truncate } from "node:fs/promises";
import { Buffer } from "node:buffer";
import { askEach, checkConcurrency, DEFAULT_CONCURRENCY, watchEndpoint } from "./ask_loop.ts";
import { toSample } from "./regrade.ts";
import type { TextRequest } from "@/lib/benchmarks/mrcr/mod.ts";
import { userPrompt } from "@/lib/generators/mod.ts";
import { explainFileError, type Model, replyOrigin } from "@/lib/models/mod.ts";

/** Options for {@linkcode writeTexts}. */
export interface WriteTextsOptions {
  readonly model: Model;
  /** The file of JSON lines; texts in it are not asked for again. */
  readonly file: string;
  /** Calls in flight at a time; 8 by default. Range: 1 to 256. */
  readonly concurrency?: number;
  /** Called after each call. */
  readonly onText?: (progress: WrittenTexts) => void;
}

/** How many texts there are. */
export interface WrittenTexts {
  /** Texts that were asked for in this and earlier sessions. */
  readonly total: number;
  /** Texts in the file. */
  readonly written: number;
  /** Calls of this session without a text. */
  readonly failed: number;
}

/** Tokens kept free for a text. */
const ROOM = 400;

/** The least words of a text; a refusal or a title alone is shorter. */
const LEAST_WORDS = 20;

/**
 * Has a model write texts, each for a request, and keeps them as JSON lines: `text` (the request, a blank line, the text), `number`,
 * the prompt, the model and its settings, the origin, and the SHA-256 of the text. Failed calls and texts of fewer than 20 words are
 * asked for again by the next call. One process at a time may add to a file.
 *
 * @throws {RangeError} If the file cannot be read or written, or the model cannot be asked at all.
 */
export async function writeTexts(requests: readonly TextRequest[], options: WriteTextsOptions): Promise<WrittenTexts> {
  const { model, file, concurrency = DEFAULT_CONCURRENCY, onText } = options;
  checkConcurrency("write texts", concurrency);
  const known = await readKnown(file);
  const missing = requests.filter((each) => !known.has(nameOf(each)));
  const watch = watchEndpoint(model.name);
  let [written, failed] = [requests.length - missing.length, 0];
  let isOver = false;
  const write = async (asked: TextRequest): Promise<void> => {
    const answer = await model.ask(toSample(userPrompt(asked.prompt), { by: "texts", answerRoom: ROOM }));
    const error = watch.note(answer);
    if (error instanceof RangeError) throw error;
    isOver ||= error !== undefined;
    const text = answer.kind === "answer" && answer.finishReason !== "length" ? answer.text.trim() : "";
    if (text.split(/\s+/).length < LEAST_WORDS) failed++;
    else {
      const line = {
        ...{ text: `${asked.request}\n\n${text}`, number: asked.number, prompt: asked.prompt },
        ...{ model: model.name, settings: model.settings, origin: replyOrigin(model, answer) },
        sha256: createHash("sha256").update(text).digest("hex"),
      };
      await appendFile(file, `${JSON.stringify(line)}\n`);
      written++;
    }
    onText?.({ total: requests.length, written, failed });
  };
  await askEach(missing.values(), write, { concurrency, isEnding: () => isOver });
  return { total: requests.length, written, failed };
}

/** Reads which texts a file has. A last line that was cut counts as missing, and is removed. */
async function readKnown(file: string): Promise<ReadonlySet<string>> {
  const content = await readFile(file, "utf8").catch((error) => {
    if (error?.code === "ENOENT") return "";
    throw new RangeError(
      `Cannot write texts as the file must be readable: current value is "${file}" (${explainFileError(error)})`,
    );
  });
  const end = content.lastIndexOf("\n") + 1;
  const last = content.slice(end);
  if (last !== "" && nameOfLine(last) !== undefined) await appendFile(file, "\n");
  else if (last !== "") await truncate(file, Buffer.byteLength(content.slice(0, end)));
  return new Set(content.split("\n").map(nameOfLine).filter((name) => name !== undefined));
}

function nameOfLine(line: string): string | undefined {
  try {
    const { text, number } = JSON.parse(line);
    return nameOf({ request: String(text).split("\n\n")[0]!, number });
  } catch {
    return undefined;
  }
}

/** Names a text in the file. */
function nameOf({ request, number }: Pick<TextRequest, "request" | "number">): string {
  return JSON.stringify([request, number]);
}
