/** The fixed cost of a call, as so many prompt tokens: without it, a few short calls would foretell too long a run. */
const TOKENS_OF_A_CALL = 1000;

/** How much work a call is, for telling the time left: its prompt's tokens, and a call's fixed cost. */
export function workOf(promptTokens: number): number {
  return promptTokens + TOKENS_OF_A_CALL;
}
