import type { Tokenizer } from "@/lib/text/mod.ts";

/** Letters, digits and marks that make one token, about. */
const LETTERS_A_TOKEN = 5;
const DIGITS_A_TOKEN = 3;
const MARKS_A_TOKEN = 4;
/** Tokens of a character that is not ASCII, as Chinese ones take in cl100k_base. */
const OTHER_TOKENS = 1.3;
/** Short words are many, and a mark after one often shares its token. */
const SCALE = 0.95;
/** Consonants in a row from which on each makes a token more. */
const CLUSTER = 3;

const CLASSES = ["space", "vowel", "consonant", "digit", "mark", "other"] as const;
type CharacterClass = typeof CLASSES[number];

/** Where a text is read: how many characters of a kind, and how many consonants, stand before. */
interface Place {
  readonly kind: "space" | "letter" | "digit" | "mark" | "other";
  readonly run: number;
  readonly consonants: number;
}

/** The class of each ASCII character. */
const CLASS_OF = Uint8Array.from({ length: 0x80 }, (_, code) => CLASSES.indexOf(classOf(String.fromCharCode(code))));
const { next: NEXT, cost: COST } = tabulate();

/**
 * Estimates tokens from characters alone, so that the load of a prompt is known without any model's encoding.
 *
 * Words are charged by their letters and by their runs of three consonants and more, as unpronounceable words fall into many
 * tokens. On the prompts of the thirteen tasks it gives from 0.65 (rare words) to 1.2 (essays, random words) of what cl100k_base
 * counts. A prompt of a million characters goes through a table of states, one step a character.
 */
export function estimateTokens(text: string): number {
  let [place, tenths] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const step = place + (code < 0x80 ? CLASS_OF[code]! : CLASSES.length - 1);
    tenths += COST[step]!;
    place = NEXT[step]!;
  }
  return Math.round(SCALE * tenths / 10);
}

/** Lists every place that a text can lead to, with what each class of character costs there, in tenths of a token. */
function tabulate(): { readonly next: Uint16Array; readonly cost: Uint8Array } {
  const places: Place[] = [{ kind: "space", run: 0, consonants: 0 }];
  const [next, cost]: [number[], number[]] = [[], []];
  for (const place of places) {
    for (const name of CLASSES) {
      const after = follow(place, name);
      const known = places.findIndex((one) => JSON.stringify(one) === JSON.stringify(after.place));
      next.push(CLASSES.length * (known < 0 ? places.push(after.place) - 1 : known));
      cost.push(Math.round(10 * after.tokens));
    }
  }
  return { next: Uint16Array.from(next), cost: Uint8Array.from(cost) };
}

/** What one more character costs, and where it leads. A run is counted only as far as it matters. */
function follow(before: Place, name: CharacterClass): { readonly place: Place; readonly tokens: number } {
  const kind = name === "vowel" || name === "consonant" ? "letter" : name;
  const run = before.kind === kind ? before.run : 0;
  const none: Place = { kind, run: 0, consonants: 0 };
  if (kind === "space") return { place: none, tokens: 0 };
  if (kind === "other") return { place: none, tokens: OTHER_TOKENS };
  if (kind === "letter") {
    const consonants = name === "vowel" ? 0 : Math.min(CLUSTER, (run === 0 ? 0 : before.consonants) + 1);
    const tokens = run === 0 ? 1 : run < LETTERS_A_TOKEN ? 0 : 1 / LETTERS_A_TOKEN;
    const place: Place = { kind, run: Math.min(LETTERS_A_TOKEN, run + 1), consonants };
    return { place, tokens: tokens + (consonants === CLUSTER ? 1 : 0) };
  }
  const most = kind === "digit" ? DIGITS_A_TOKEN : MARKS_A_TOKEN;
  // Subtle: a full token's last character leads to a run of 0, whose next one begins another.
  return { place: { ...none, run: (run + 1) % most }, tokens: run === 0 ? 1 : 0 };
}

function classOf(character: string): CharacterClass {
  if (character <= " ") return "space";
  if (/[0-9]/.test(character)) return "digit";
  if (/[aeiouy]/i.test(character)) return "vowel";
  return /[a-z]/i.test(character) ? "consonant" : "mark";
}

/** A reply cut as a request asks. */
export interface CutReply {
  /** The text that is left. */
  readonly text: string;
  /** `length` where the budget cut it. */
  readonly finishReason: "stop" | "length";
  /** Tokens written. */
  readonly tokens: number;
}

/** Cuts a reply before the first stop text, and then to a number of tokens. */
export function cutReply(
  reply: string,
  options: { readonly stop: readonly string[]; readonly maxTokens: number; readonly tokenizer: Tokenizer },
): CutReply {
  const { stop, maxTokens, tokenizer } = options;
  const ends = stop.map((text) => reply.indexOf(text)).filter((at) => at >= 0);
  const stopped = reply.slice(0, Math.min(reply.length, ...ends));
  const tokens = tokenizer.count(stopped);
  if (tokens <= maxTokens) return { text: stopped, finishReason: "stop", tokens };
  let fits = 0;
  let exceeds = stopped.length;
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (tokenizer.count(stopped.slice(0, middle)) <= maxTokens) fits = middle;
    else exceeds = middle;
  }
  const text = stopped.slice(0, fits);
  return { text, finishReason: "length", tokens: tokenizer.count(text) };
}
