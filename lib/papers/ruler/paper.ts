import { ABLATION_CLAIMS, ABLATION_RUN_CLAIMS } from "./ablation_claims.ts";
import { openAblations } from "./ablations.ts";
import { CORRELATION_CLAIMS } from "./correlation_claims.ts";
import { openCorrelationStudy } from "./correlation_study.ts";
import { LEADERBOARD_CLAIMS, openCurves, RUN_CLAIMS } from "./leaderboard_claims.ts";
import { MODEL_CLAIMS, MODEL_RUN_CLAIMS } from "./model_claims.ts";
import { openModelLines } from "./model_lines.ts";
import { REPLY_CLAIMS } from "./reply_claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { type ClaimSet, claimSet, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** The paper of RULER: its claims about published scores and about runs. */
export const RULER_PAPER: Paper = {
  claims: [
    setOf("leaderboard", "Statements of the paper, checked on its own numbers", LEADERBOARD_CLAIMS, openCurves),
    setOf("ablations", "Section 5, checked on its own figures", ABLATION_CLAIMS, openAblations),
    setOf("replies", "Sections 1 and 5, on replies", REPLY_CLAIMS, () => []),
    setOf("models", "Section 6, checked on its own figure", MODEL_CLAIMS, openModelLines),
    setOf("correlation", "Appendix C, checked on its own figure", CORRELATION_CLAIMS, openCorrelationStudy),
  ],
  runClaims: [...RUN_CLAIMS, ...ABLATION_RUN_CLAIMS, ...MODEL_RUN_CLAIMS],
};

function setOf<Of>(
  name: string,
  title: string,
  claims: readonly PublishedClaim<Of>[],
  evidence: () => Of | Promise<Of>,
): ClaimSet {
  return claimSet({ name, title, claims, evidence });
}
