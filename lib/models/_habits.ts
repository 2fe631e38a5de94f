import type { Difficulty, Habits } from "./profile.ts";

/**
 * What makes one fact harder than another. Chosen, not fitted: near the least squares over all profiles' category scores, the
 * passkey and vanilla needle scores (RULER, Tables 10 and 11) and Yi-34B's tasks (Figures 2 and 3), where those tell it.
 *
 * Scores of whole tasks do not tell `longValue`, `lead`, `middle` and `recency`; they are small and of the direction that the
 * paper reports: incomplete UUIDs, fewer mistakes where frequencies differ more, and facts lost in the middle.
 */
export const DIFFICULTY: Difficulty = {
  rival: 1,
  crowd: 0.22,
  longKey: 1.3,
  longValue: 0.2,
  sameKey: 1.65,
  crowdOfWords: 0.5,
  lead: 0.2,
  middle: 0.8,
  recency: 0.4,
};

/** How most profiles fail. Assumed: the paper describes the kinds of failure, and gives no shares for most models. */
export const USUAL_HABITS: Habits = {
  whole: 0.15,
  copying: 0.3,
  wholeReplies: { empty: 1, refused: 1, looped: 1, prior: 2 },
  facts: { left_out: 2, distractor: 4, partial: 3, repeated: 1, invented: 1 },
  nearness: 0.6,
};

/** Models that the paper saw copying the worked example (section 5): of Yi's replies to common words at 128K, over 80%. */
export const COPYING_HABITS: Habits = { ...USUAL_HABITS, copying: 0.85 };

/** Mistral, which answers common words with the most frequent words of English (section 5). */
export const PRIOR_HABITS: Habits = {
  ...USUAL_HABITS,
  whole: 0.3,
  wholeReplies: { empty: 1, refused: 1, looped: 1, prior: 9 },
};
