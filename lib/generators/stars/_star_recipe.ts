import { integer, stream } from "@/lib/random/mod.ts";
import { measure, type Measured } from "@/lib/text/mod.ts";
import { checkEssays } from "../_essays.ts";
import { essayFiller, type Filler } from "../_fillers.ts";
import type { Layout, Part } from "../_layout.ts";
import type { Recipe } from "../_recipe.ts";
import { nearestBreaks } from "./_star_places.ts";
import { starQuestion } from "./_star_question.ts";
import { starPart } from "./_star_part.ts";
import { scaledLayout } from "./_star_scaled.ts";
import { type StarSettings, writeStars } from "./_star_texts.ts";
import { COUNTING_STARS_SUITE } from "../suite.ts";
import type { SampleRequest } from "../task.ts";

/** Decides everything random about a sample of Counting-Stars. */
export function starRecipe(settings: StarSettings, request: SampleRequest): Recipe {
  // Whose reading is scored changes no text.
  const { name, scorer: _, ...knobs } = settings;
  const { materials, length, seed, index } = request;
  const { tokenizer } = materials;
  const draw = stream(seed, COUNTING_STARS_SUITE, name, JSON.stringify(knobs), length, index);
  const { texts, references, distractors } = writeStars(settings, draw);
  const essays = materials.essaysIn(settings.language);
  materials.remember(
    `counting stars/${essays.name}`,
    () => checkEssays(essays, { task: name, mark: "★", called: "the mark that is counted, ★" }),
  );
  const after = [{ measured: measure(starQuestion(settings), tokenizer) }];
  const shared = {
    answerPrefix: "",
    source: essays.name,
    references: () => references,
    ...(distractors.some((text) => text !== "") ? { distractors } : {}),
  };
  if (settings.edition !== "exact") {
    const { edition, language } = settings;
    return { ...shared, ...scaledLayout(texts, { edition, language, length, essays, materials, after }) };
  }
  const start = integer(draw, { low: 0, high: essays.size - 1 });
  const stars = texts.map(({ place, pieces }) => ({ place, part: starPart(pieces, tokenizer) }));
  const shares = texts.map(({ place }) => place / settings.stars);
  const layOut = (size: number, longer?: Longer): Layout => {
    const { filler, added } = longer ?? { filler: essayFiller(essays, { start, tokenizer }), added: 0 };
    const breaks = nearestBreaks(shares, { essays, start, size });
    const placed = stars.map(({ part }, star) => ({ part, at: breaks[star]! + (breaks[star] === size ? added : 0) }));
    return { before: [], context: fillSky(placed, { filler, size: size + added }), after };
  };
  return {
    ...shared,
    least: 0,
    most: Infinity,
    layOut: (size) => layOut(size),
    closeGap(size, gap, fits): Layout {
      for (const longer of essayFiller(essays, { start, tokenizer }).tighten?.(size, gap) ?? []) {
        const layout = layOut(size, longer);
        if (fits(layout)) return layout;
      }
      return layOut(size);
    },
  };
}

/** A filler whose last sentence was chosen to use up a gap. */
interface Longer {
  readonly filler: Filler;
  readonly added: number;
}

function fillSky(
  stars: readonly { readonly part: Part; readonly at: number }[],
  { filler, size }: { readonly filler: Filler; readonly size: number },
): Part[] {
  const parts: Part[] = [];
  let filled = 0;
  const fillTo = (at: number): void => {
    const [first, ...rest] = at > filled ? filler.run(filled, at) : [];
    if (first) parts.push({ measured: dropSpace(first.measured) }, ...rest);
    filled = Math.max(filled, at);
  };
  for (const { part, at } of stars) {
    fillTo(at);
    parts.push(part);
  }
  fillTo(size);
  return parts;
}

/** Leaves out the space that parts a sentence from the one before it; a line break does so here. */
function dropSpace(measured: Measured): Measured {
  const { head, tail, inner } = measured;
  if (!head.startsWith(" ")) return measured;
  return {
    // Read late, as long texts are put together only when they are sent.
    get text(): string {
      return measured.text.slice(1);
    },
    head: head.slice(1),
    tail,
    inner,
  };
}
