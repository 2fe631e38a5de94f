import { spread } from "@/lib/random/mod.ts";
import { type Haystack, measure, type Tokenizer } from "@/lib/text/mod.ts";
import { breakAt } from "../_break_at.ts";
import { placeInGrid } from "./_cdme_grid.ts";
import type { CdmeItem } from "./_cdme_items.ts";
import { type CdmeSettings, itemOf } from "./_cdme_settings.ts";
import { CDME_FRAMES, guideQuestion, readAnswerForm } from "./_cdme_wording.ts";
import { checkEssays } from "../_essays.ts";
import { essayFiller, type Filler } from "../_fillers.ts";
import type { Layout, Part } from "../_layout.ts";
import type { Recipe } from "../_recipe.ts";
import type { Materials } from "../materials.ts";
import { CDME_SUITE } from "../suite.ts";
import type { SampleRequest } from "../task.ts";

/** Lays a sample out without the original's flaws. */
export function fixedCdmeRecipe(settings: CdmeSettings, request: SampleRequest): Recipe {
  const { materials, seed, index } = request;
  const { tokenizer } = materials;
  const { language, diff, guide } = settings;
  const { depth, repeat } = placeInGrid(settings, index);
  const item = itemOf(settings, repeat);
  const essays = materials.essaysIn(language);
  checkNeedles(item, { task: settings.name, essays, materials });
  // The same for every length, depth and language, so that cells and twins can be paired.
  const [start = 0] = spread([seed, CDME_SUITE, "start"], { index: repeat, dimensions: 1 });
  const filler = essayFiller(essays, { start: Math.floor(start * essays.size), tokenizer });
  const { opening, asking } = CDME_FRAMES[language];
  const question = guide ? guideQuestion(item.question, { language, losesRest: false }) : item.question;
  const [before, after] = [opening, asking + question].map((text) => [{ measured: measure(text, tokenizer) }]);
  const depths = item.needles.map((_, at) => Math.min(1, (depth + at * diff) / 100));
  const layOut = (size: number, by: Filler): Layout => ({
    before: before!,
    context: plantNeedles(needleParts(item, { settings, essays, tokenizer }), { depths, size, filler: by, tokenizer }),
    after: after!,
  });
  return {
    least: 0,
    most: Infinity,
    layOut: (size) => layOut(size, filler),
    closeGap(size, gap, fits): Layout {
      for (const left of [gap, gap - LOST_WHERE_SENTENCES_MEET]) {
        for (const { filler: tighter, added } of filler.tighten?.(size, left) ?? []) {
          const layout = layOut(size + added, tighter);
          if (fits(layout)) return layout;
        }
      }
      return layOut(size, filler);
    },
    answerPrefix: "",
    references: () => cdmeReferences(item),
    depth: depth / 100,
    source: essays.name,
  };
}

/** Needles move when a sentence is added, and at each of their two ends a count can differ by a token or two. */
const LOST_WHERE_SENTENCES_MEET = 4;

/** Refuses essays that hold one of the needles, once for each. */
export function checkNeedles(
  { needles }: CdmeItem,
  { task, essays, materials }: { readonly task: string; readonly essays: Haystack; readonly materials: Materials },
): void {
  for (const needle of needles) {
    materials.remember(
      `cdme haystack/${essays.name}/${needle}`,
      () => checkEssays(essays, { task, mark: needle, called: "the needle" }),
    );
  }
}

/** What replies are compared with: the answer, and the keyword where there is one. */
export function cdmeReferences({ answer, keyword }: CdmeItem): string[] {
  return [answer.trim(), ...(keyword === undefined ? [] : [keyword])];
}

/** Gives the facts that needles are; the last one holds what is asked for. */
export function needleFacts(item: CdmeItem, { language }: CdmeSettings): NonNullable<Part["fact"]>[] {
  const { needles, question, answer, keyword } = item;
  const { before, after } = readAnswerForm(question, language) ?? { before: "", after: "" };
  const filled = answer.trim();
  const isFilled = filled.startsWith(before) && filled.endsWith(after);
  const value = keyword ?? (isFilled ? filled.slice(before.length, filled.length - after.length) : filled);
  return needles.map((needle) => ({ role: "target", text: needle.trim(), key: question, value }));
}

function needleParts(
  item: CdmeItem,
  { settings, essays, tokenizer }: {
    readonly settings: CdmeSettings;
    readonly essays: Haystack;
    readonly tokenizer: Tokenizer;
  },
): (isFirst: boolean, at: number) => Part {
  const facts = needleFacts(item, settings);
  return (isFirst, at) => {
    const needle = item.needles[at]!;
    const text = isFirst || /^\s/.test(needle) ? needle : essays.separator + needle;
    return { measured: measure(text, tokenizer), fact: facts[at]! };
  };
}

/** Fills a context with needles at the sentence breaks nearest to their depths, in their order. */
function plantNeedles(
  needle: (isFirst: boolean, at: number) => Part,
  { depths, size, filler, tokenizer }: {
    readonly depths: readonly number[];
    readonly size: number;
    readonly filler: Filler;
    readonly tokenizer: Tokenizer;
  },
): Part[] {
  const parts: Part[] = [];
  let filled = 0;
  let isLineStart = true;
  const fill = (to: number): void => {
    if (to <= filled) return;
    parts.push(...filler.run(filled, to, isLineStart));
    [filled, isLineStart] = [to, false];
  };
  for (const [at, depth] of depths.entries()) {
    fill(breakAt(depth, { filler, size, tokenizer }));
    const part = needle(parts.length === 0, at);
    parts.push(part);
    isLineStart = part.measured.text.endsWith("\n");
  }
  fill(size);
  return parts;
}
