/** The RULER suite and its version; raised when any task's samples change. Part of every sample id and published score. */
export const RULER_SUITE = "ruler-2";

/** The Counting-Stars suite and its version; raised when any of its tasks' samples change. */
export const COUNTING_STARS_SUITE = "counting-stars-2";

/** The suite of CDME tasks and its version; raised when any of its tasks' samples change. */
export const CDME_SUITE = "cdme-2";

/** The suite of prompt-dependence tasks and its version; raised when any of its tasks' samples change. */
export const PROMPT_RECALL_SUITE = "prompt-recall-2";
