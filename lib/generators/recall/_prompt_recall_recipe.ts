import { spread } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";
import { breakAt } from "../_break_at.ts";
import { checkEssays } from "../_essays.ts";
import { essayFiller, type Filler } from "../_fillers.ts";
import type { Layout, Part } from "../_layout.ts";
import type { PromptRecallSettings } from "./_prompt_recall_settings.ts";
import { RECALL_SYSTEMS, RECALL_TEMPLATES } from "./_prompt_recall_wording.ts";
import type { Recipe } from "../_recipe.ts";
import { depthGrid } from "../depth_grid.ts";
import type { Materials } from "../materials.ts";
import { PROMPT_RECALL_SUITE } from "../suite.ts";
import type { SampleRequest } from "../task.ts";

/** Lays a sample out: the system message, essays with the needle between two sentences, the question. */
export function promptRecallRecipe(settings: PromptRecallSettings, request: SampleRequest): Recipe {
  const { materials, seed, index } = request;
  const { tokenizer } = materials;
  const { needle, question, publishedQuestion, name } = settings;
  const essays = materials.essaysIn("en");
  materials.remember(
    `prompt recall/${essays.name}/${needle}`,
    () => checkEssays(essays, { task: name, mark: needle, called: "the needle" }),
  );
  const { depth, repeat } = placeInGrid(settings, index);
  // The same for every length, depth, test and wording, so that cells can be paired.
  const [start = 0] = spread([seed, PROMPT_RECALL_SUITE, "start"], { index: repeat, dimensions: 1 });
  const filler = essayFiller(essays, { start: Math.floor(start * essays.size), tokenizer });
  const { opening, between, closing } = RECALL_TEMPLATES[settings.template];
  const before = { measured: measure(opening(RECALL_SYSTEMS[settings.system]), tokenizer) };
  const after = { measured: measure(between + question + closing, tokenizer) };
  const fact = { role: "target", text: needle, key: question, value: needle } as const;
  const layOut = (size: number, by: Filler): Layout => {
    const at = breakAt(depth, { filler: by, size, tokenizer, toward: "back" });
    const planted: Part = { measured: by.needle(needle, at === 0), fact };
    // Behind a needle that comes first the text goes on in its line, space and all.
    const rest = at === 0 ? restOf(by, { size, tokenizer }) : at < size ? by.run(at, size) : [];
    return {
      before: [before],
      context: [...(at > 0 ? by.run(0, at) : []), planted, ...rest],
      after: [after],
    };
  };
  return {
    least: 0,
    most: Infinity,
    layOut: (size) => layOut(size, filler),
    closeGap(size, gap, fits): Layout {
      for (const { filler: tighter, added } of filler.tighten?.(size, gap) ?? []) {
        const layout = layOut(size + added, tighter);
        if (fits(layout)) return layout;
      }
      return layOut(size, filler);
    },
    answerPrefix: "",
    references: () => [needle, question, ...(publishedQuestion === undefined ? [] : [publishedQuestion])],
    depth,
    source: essays.name,
  };
}

/** Gives all the filler, with the space before it that a filler at the start of a text does without. */
function restOf(
  filler: Filler,
  { size, tokenizer }: { readonly size: number; readonly tokenizer: Materials["tokenizer"] },
): readonly Part[] {
  return size === 0 ? [] : [{ measured: measure(" ", tokenizer) }, ...filler.run(0, size)];
}

/** Tells a sample's depth, in [0, 1], and the number of the text round its needle: depths go round fastest. */
function placeInGrid(
  { depth, points, spacing }: PromptRecallSettings,
  index: number,
): { readonly depth: number; readonly repeat: number } {
  if (depth !== undefined) return { depth, repeat: index };
  return { depth: depthGrid({ points, spacing })[index % points]! / 100, repeat: Math.floor(index / points) };
}
