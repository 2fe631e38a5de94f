import { lengthStability } from "./length_stability.ts";
import { type PublishedStarPanel, rightAt, STAR_MODELS, type StarEvidence } from "./published.ts";
import { type ErrorPlaces, errorPlaces } from "./star_replies.ts";
import { decided, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** Claims about the places of lost stars, and about longer contexts that beat shorter ones. */
export const LOSS_CLAIMS: readonly PublishedClaim<StarEvidence>[] = [
  {
    id: "C7",
    source: "method; the length-stability dilemma",
    quote:
      "both GPT-4 Turbo and Kimi Chat can get better results in a longer text than in a shorter one; 100K, say, is better than 92K",
    statement:
      "Both models can do better in a longer text, as at 100K against 92K (our measure: in at least one panel).",
    expected: "holds",
    check: (published) => {
      const rows = STAR_MODELS.map((model) => {
        const both = published.panels.filter((panel) => panel.model.startsWith(model) && panel.lengths === 32);
        const gains = both.map((panel) => [panel.figure, rightAt(panel, 92_000), rightAt(panel, 100_000)] as const);
        const better = gains.filter(([, short, long]) => long > short);
        return { model, panels: both.length, better: better.length, most: greatestGain(better) };
      });
      return decided(
        rows.every(({ better }) => better > 0),
        `${
          rows.map(({ model, panels, better, most }) => `${model} in ${better} of ${panels} panels${most}`).join("; ")
        }.`,
      );
    },
  },
  {
    id: "C7b",
    source: "figures of the first edition",
    statement:
      "The dilemma goes beyond chance for both models: in most of a model's panels a longer text beats a shorter one more often than if length did not matter (p < 0.05).",
    expected: "fails",
    check: ({ panels, seed }) => {
      const rows = STAR_MODELS.map((model) => {
        const found = panels.filter((panel) => panel.model.startsWith(model))
          .map((panel) => lengthStability(panel, { seed }));
        const sure = found.filter(({ p }) => p < 0.05);
        const shares = found.map(({ share }) => share);
        return { model, panels: found.length, sure: sure.length, most: Math.max(...shares) };
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
    quote: "most wrong samples are late in the long context, the phenomenon of lost in the tail",
    statement:
      "Most errors are late in the context (our measure: over half of the errors of all panels are in the last third of the stars).",
    expected: "holds",
    check: ({ panels }) => {
      const { errors, last } = pooled(panels);
      return decided(
        last > errors / 2,
        `The last third has ${whole(last)} of ${whole(errors)} errors, ${percent(last / errors)}; it has most in ${
          countWorst(panels, "last")
        } of ${panels.length} panels.`,
      );
    },
  },
  {
    id: "C12b",
    source: "figures of the first edition",
    statement: "Each model by itself has most of its errors in the last third.",
    expected: "fails",
    check: ({ panels }) => {
      const rows = STAR_MODELS.map((model) => ({
        model,
        ...pooled(panels.filter((panel) => panel.model.startsWith(model))),
      }));
      const chinese = panels.filter(({ model, language }) => model.startsWith("Kimi") && language === "ZH");
      return decided(
        rows.every(({ errors, last }) => last > errors / 2),
        `First, middle and last third: ${
          rows.map(({ model, errors, first, middle, last }) =>
            `${model} ${[first, middle, last].map((part) => percent(part / errors)).join(", ")} of ${whole(errors)}`
          ).join("; ")
        }. Of Kimi's panels in Chinese the last third has most in ${countWorst(chinese, "last")} of ${chinese.length}.`,
      );
    },
  },
  {
    id: "C12c",
    source: "discussion",
    quote: "our findings cannot fully confirm this phenomenon (lost in the middle)",
    statement:
      "Lost in the middle is not fully confirmed (our measure: of the errors of all panels the middle third does not have the most).",
    expected: "holds",
    check: ({ panels }) => {
      const { errors, first, middle, last } = pooled(panels);
      const inMiddle = panels.filter((panel) => errorPlaces(panel).most === "middle");
      return decided(
        middle < Math.max(first, last),
        `The middle third has ${
          percent(middle / errors)
        } of all errors, and most in ${inMiddle.length} of ${panels.length} panels: ${
          inMiddle.map((panel) => `${nameOf(panel)} ${percent(errorPlaces(panel).middle!)}`).join(", ")
        }.`,
      );
    },
  },
  {
    id: "C12d",
    source: "figures of the third edition",
    statement: "With shuffled counts and other models the last third has the most errors too.",
    expected: "fails",
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

/** Sums the errors of several panels, overall and by third. */
function pooled(
  panels: readonly PublishedStarPanel[],
): Readonly<Record<"errors" | "first" | "middle" | "last", number>> {
  const places = panels.map(errorPlaces);
  const sumOf = (third: "first" | "middle" | "last"): number =>
    places.reduce((sum, place) => sum + place.errors * (place[third] ?? 0), 0);
  const errors = places.reduce((sum, place) => sum + place.errors, 0);
  return { errors, first: sumOf("first"), middle: sumOf("middle"), last: sumOf("last") };
}

/** Counts the panels with most of their errors in a third. */
function countWorst(panels: readonly PublishedStarPanel[], third: ErrorPlaces["most"]): number {
  return panels.filter((panel) => errorPlaces(panel).most === third).length;
}

function greatestGain(gains: readonly (readonly [string, number, number])[]): string {
  const [most] = gains.toSorted((left, right) => (right[2] - right[1]) - (left[2] - left[1]));
  return most === undefined ? "" : `, most in ${most[0].replaceAll("_", " ")}: ${most[1]} at 92K, ${most[2]} at 100K`;
}

function nameOf({ figure, model }: PublishedStarPanel): string {
  return `${model.split(" ")[0]} ${figure.replaceAll("_", " ")}`;
}

function whole(count: number): string {
  return Math.round(count).toLocaleString("en");
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}
