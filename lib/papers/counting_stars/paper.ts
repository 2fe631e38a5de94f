import { STAR_CLAIMS } from "./claims.ts";
import { LATER_STAR_CLAIMS } from "./later_edition.ts";
import { openStarsPublished } from "./published.ts";
import { STAR_RUN_CLAIMS } from "./run_claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** The paper of Counting-Stars in both editions: its claims about published scores and about runs. */
export const COUNTING_STARS_PAPER: Paper = {
  claims: [
    claimSet({
      name: "text",
      title: "Statements of the text, checked on its own numbers",
      claims: STAR_CLAIMS,
      evidence: async () => ({ ...await openStarsPublished(), seed: "42" }),
    }),
    claimSet({
      name: "later edition",
      title: "The later edition: its abstract, and whether its tables and figures agree",
      claims: LATER_STAR_CLAIMS,
      evidence: () => openStarsPublished(),
    }),
  ],
  runClaims: STAR_RUN_CLAIMS,
};
