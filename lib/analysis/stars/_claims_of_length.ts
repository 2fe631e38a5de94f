import { decided } from "../_claim_words.ts";
import type { Claim } from "../claims.ts";
import { panelOf, percent, rightAt, STAR_MODELS } from "./_star_words.ts";
import { errorPlaces } from "./error_places.ts";
import { lengthStability } from "./length_stability.ts";
import type { PublishedStarPanel, StarsPublished } from "./published_stars.ts";

/** Claims about where stars are lost, and about longer contexts that do better than shorter ones. */
export const CLAIMS_OF_LENGTH: readonly Claim<StarsPublished>[] = [
  {
    id: "C7",
    source: "method; the length-stability dilemma",
    kind: "paper",
    quote: "the model can get better results in a longer text than in a shorter one: 100K, say, is better than 92K",
    statement: "A longer context can do better than a shorter one: 100K better than 92K.",
    check: (published) => {
      const kimi = panelOf(published, "stone_32_32", "Kimi");
      const [short, long] = [rightAt(kimi, 92_000), rightAt(kimi, 100_000)];
      return decided(long > short, `Kimi in the (32-32) version finds ${short} of 32 at 92K and ${long} at 100K.`);
    },
  },
  {
    id: "C7b",
    source: "the length-stability dilemma",
    kind: "paper",
    quote: "both GPT-4 Turbo and Kimi Chat can get better results in a longer text than in a shorter one",
    statement:
      "Both models show it beyond chance: in most of a model's panels longer beats shorter more often than if length did not matter (p < 0.05).",
    check: (published) => {
      const rows = STAR_MODELS.map((model) => {
        const panels = published.panels.filter((panel) => panel.model.startsWith(model));
        const found = panels.map((panel) => lengthStability(panel, { seed: panel.figure }));
        const sure = found.filter(({ p }) => p < 0.05);
        const shares = found.map(({ share }) => share);
        return { model, panels: panels.length, sure: sure.length, most: Math.max(...shares) };
      });
      return decided(
        rows.every(({ sure, panels }) => 2 * sure > panels),
        `${
          rows.map(({ model, panels, sure, most }) =>
            `${model} in ${sure} of ${panels} panels, where it is up to ${percent(most)} of the pairs of lengths`
          ).join("; ")
        }.`,
      );
    },
  },
  {
    id: "C12",
    source: "discussion",
    kind: "paper",
    quote: "most wrong samples are late in the long context, the phenomenon of lost in the tail",
    statement: "Most errors are late in the context, lost in the tail: the last third has most of them in every panel.",
    check: ({ panels }) => tellThirds(panels, () => true),
  },
  {
    id: "C12b",
    source: "discussion",
    kind: "check",
    statement: "For Kimi Chat in Chinese the last third has most errors in every panel.",
    check: ({ panels }) => tellThirds(panels, ({ model, language }) => model.startsWith("Kimi") && language === "ZH"),
  },
  {
    id: "C12c",
    source: "discussion",
    kind: "paper",
    quote: "our findings cannot fully confirm this phenomenon (lost in the middle)",
    statement: "Lost in the middle is not to be seen: the middle third has most errors in no panel.",
    check: ({ panels }) => {
      const middle = panels.map((panel) => ({ panel, ...errorPlaces(panel) })).filter(({ most }) => most === "middle");
      return decided(
        middle.length === 0,
        `It has in ${middle.length} of ${panels.length}: ${
          middle.map(({ panel, middle: share }) => `${nameOf(panel)} ${percent(share!)}`).join(", ")
        }.`,
      );
    },
  },
  {
    id: "C12d",
    source: "discussion, asked of the third edition's figures",
    kind: "check",
    statement: "With shuffled counts and other models the last third has most errors too.",
    check: ({ tasks }) => {
      const rows = tasks.map((panel) => ({ ...errorPlaces(panel), task: panel.task }));
      const texts = rows.map(({ model, task, middle, last }) =>
        `${model} ${task} ${percent(middle!)} and ${percent(last!)}`
      );
      const inMiddle = rows.filter(({ most }) => most === "middle").length;
      return decided(
        rows.every(({ most }) => most === "last"),
        `The middle third has most in ${inMiddle} of ${rows.length} panels; its share and the last third's: ${
          texts.join(", ")
        }.`,
      );
    },
  },
];

function tellThirds(
  panels: readonly PublishedStarPanel[],
  isAsked: (panel: PublishedStarPanel) => boolean,
): ReturnType<typeof decided> {
  const rows = panels.filter(isAsked).map((panel) => ({ panel, ...errorPlaces(panel) }));
  const others = rows.filter(({ most }) => most !== "last");
  const shares = rows.map(({ last }) => last!);
  const exceptions = others.map(({ panel, most, last }) =>
    `${nameOf(panel)} (${most ?? "none"}; last ${percent(last!)})`
  );
  return decided(
    others.length === 0,
    `The last third has ${percent(Math.min(...shares))} to ${percent(Math.max(...shares))} of the errors, and most in ${
      rows.length - others.length
    } of ${rows.length} panels.${exceptions.length === 0 ? "" : ` Not in ${exceptions.join(", ")}.`}`,
  );
}

function nameOf({ figure, model }: PublishedStarPanel): string {
  return `${model.split(" ")[0]} ${figure.replaceAll("_", " ")}`;
}
