import { type CloseUp, lengthText, type Origin, quoteText } from "@/lib/analysis/mod.ts";
import { type Table, table } from "../table.ts";

/** Options for the tables of one sample. */
export interface CloseUpTableOptions {
  /** Where the reply comes from. */
  readonly origin: Origin;
}

/** The most characters of one text. */
const MOST = 280;

/**
 * Sets one sample with its reply as a table: recipe, hash, what was wanted, what came, the score and why, the way of failing.
 *
 * @param shown The sample, from `closeUp`.
 * @param options The origin of the reply.
 * @returns The table; everything from prompt and reply is escaped, and long texts lose their middle.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { closeUp } from "@/lib/analysis/mod.ts";
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 1 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("mute"), folder });
 * match(closeUpTable(await closeUp(run, run.replies[0]!), { origin: "simulated" }).text, /Way of failing +empty/);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function closeUpTable(shown: CloseUp, { origin }: CloseUpTableOptions): Table {
  return table(shown.lines.map(({ what, said }) => ({ what, said: quoteText(said, MOST) })), {
    title: `${placeText(shown)}, from its recipe to its score`,
    origin,
    caption:
      "The sample is made again from the recipe in its record; its hash says whether it is the text that was asked.",
    n: 1,
    columns: [{ field: "what", label: "What" }, { field: "said", label: "Of this sample" }],
  });
}

/**
 * Sets the planted facts of one sample as a table, each with the text on both sides of it.
 *
 * @param shown The sample, from `closeUp`.
 * @param options The origin of the reply, and how many facts to show, 8 unless given.
 * @returns The table: what is asked for first, then what was said instead, then the rest in the order of the prompt; `null` where no fact has one place.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { closeUp } from "@/lib/analysis/mod.ts";
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 1 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder });
 * match(factTable(await closeUp(run, run.replies[0]!), { origin: "simulated" })!.text, /target .* special magic number/);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function factTable(
  shown: CloseUp,
  { origin, most = 8 }: CloseUpTableOptions & { readonly most?: number },
): Table | null {
  const { facts } = shown;
  if (facts.length === 0) return null;
  const rows = facts.slice(0, most).map(({ role, depth, tokenOffset, before, text, after }) => ({
    role,
    depth: depth === null ? null : 100 * depth,
    tokenOffset,
    before: `…${quoteText(before, MOST)}`,
    text: quoteText(text, MOST),
    after: `${quoteText(after, MOST)}…`,
  }));
  return table(rows, {
    title: `${placeText(shown)}: the text round ${rows.length} of ${facts.length} planted facts`,
    origin,
    caption: "What is asked for stands first, then what was said instead. Line breaks are written out.",
    n: 1,
    columns: [
      { field: "role", label: "Role" },
      { field: "depth", label: "Depth (%)", digits: 1 },
      { field: "tokenOffset", label: "Tokens before it", digits: 0 },
      { field: "before", label: "Before" },
      { field: "text", label: "Planted" },
      { field: "after", label: "After" },
    ],
  });
}

function placeText({ reply: { task, length, record } }: CloseUp): string {
  return `${task} at ${lengthText(length)}, sample ${record.index}`;
}
