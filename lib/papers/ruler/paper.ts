import { ABLATION_CLAIMS, ABLATION_RUN_CLAIMS } from "./ablation_claims.ts";
import { publishedAblationLines } from "./ablations.ts";
import { CORRELATION_CLAIMS } from "./correlation_claims.ts";
import { publishedCorrelationStudy } from "./correlation_study.ts";
import { LEADERBOARD_CLAIMS } from "./leaderboard_claims.ts";
import { MODEL_CLAIMS, MODEL_RUN_CLAIMS } from "./model_claims.ts";
import { publishedModelLines } from "./model_lines.ts";
import { openPublished, type RulerPublished } from "./published.ts";
import { REPLY_CLAIMS } from "./reply_claims.ts";
import { RUN_CLAIMS } from "./run_claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { type ClaimSet, claimSet, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** The paper of RULER: its claims about published scores and about runs. */
export const RULER_PAPER: Paper = {
  claims: [
    setOf("leaderboard", "Statements of the paper, checked on its own numbers", LEADERBOARD_CLAIMS, (all) => all),
    setOf("ablations", "Section 5, checked on its own figures", ABLATION_CLAIMS, publishedAblationLines),
    setOf("replies", "Sections 1 and 5, on replies", REPLY_CLAIMS, () => []),
    setOf("models", "Section 6, checked on its own figure", MODEL_CLAIMS, publishedModelLines),
    setOf("correlation", "Appendix C, checked on its own figure", CORRELATION_CLAIMS, publishedCorrelationStudy),
  ],
  runClaims: [...RUN_CLAIMS, ...ABLATION_RUN_CLAIMS, ...MODEL_RUN_CLAIMS],
};

/** Makes a set of claims that are checked on the published numbers. */
function setOf<Evidence>(
  name: string,
  title: string,
  claims: readonly PublishedClaim<Evidence>[],
  evidenceOf: (all: RulerPublished) => Evidence,
): ClaimSet {
  return claimSet({ name, title, claims, evidence: async () => evidenceOf(await openPublished()) });
}
