/**
 * How many answers are added in thought, so that scores without variation are not taken for certain. With fewer, the
 * interval of some short lists of fractional scores falls below its level; with more it is wider than it need be.
 */
export const PSEUDO_ANSWERS = 2;
