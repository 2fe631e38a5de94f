import { STAR_CLAIMS, STAR_RUN_CLAIMS } from "./claims.ts";
import { openStars } from "./published.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** The paper of Counting-Stars in both editions: its claims about published scores and about runs. */
export const COUNTING_STARS_PAPER: Paper = {
  claims: [
    claimSet({
      name: "both editions",
      title: "Statements of the text and of the later edition, checked on their own numbers",
      claims: STAR_CLAIMS,
      evidence: openStars,
    }),
  ],
  runClaims: STAR_RUN_CLAIMS,
};
