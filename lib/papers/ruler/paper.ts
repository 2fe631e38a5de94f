import { ABLATION_CLAIMS } from "./ablation_claims.ts";
import { publishedAblationLines } from "./ablations.ts";
import { CORRELATION_CLAIMS } from "./correlation_claims.ts";
import { publishedCorrelationStudy } from "./correlation_study.ts";
import { LEADERBOARD_CLAIMS } from "./leaderboard_claims.ts";
import { COPYING_CLAIMS, publishedCopying } from "./reply_claims.ts";
import { MODEL_CLAIMS } from "./model_claims.ts";
import { publishedModelLines } from "./model_lines.ts";
import { openPublished } from "./published.ts";
import { RULER } from "@/lib/benchmarks/ruler/mod.ts";
import { RUN_CLAIMS } from "./run_claims.ts";
import { TOP_MODEL_CLAIMS } from "./table_claims.ts";
import type { Paper } from "@/lib/papers/paper.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** The paper of RULER: its claims about published scores and about runs. */
export const RULER_PAPER: Paper = {
  benchmark: RULER,
  claims: [
    claimSet({
      name: "leaderboard",
      title: "Statements of the paper, checked on its own numbers",
      claims: LEADERBOARD_CLAIMS,
      evidence: () => openPublished(),
    }),
    claimSet({
      name: "ablations",
      title: "Section 5, checked on its own figures",
      claims: ABLATION_CLAIMS,
      evidence: async () => ({ lines: publishedAblationLines(await openPublished()), replies: null }),
    }),
    claimSet({
      name: "copying",
      title: "Section 5, on models that copy and models that do not",
      claims: COPYING_CLAIMS,
      evidence: async () => publishedCopying(await openPublished()),
    }),
    claimSet({
      name: "models",
      title: "Section 6, checked on its own figure",
      claims: MODEL_CLAIMS,
      evidence: async () => publishedModelLines(await openPublished()),
    }),
    claimSet({
      name: "top models",
      title: "Common features of the top models, checked on Tables 3 and 4",
      claims: TOP_MODEL_CLAIMS,
      evidence: () => openPublished(),
    }),
    claimSet({
      name: "correlation",
      title: "Appendix C, checked on its own figure",
      claims: CORRELATION_CLAIMS,
      evidence: async () => publishedCorrelationStudy(await openPublished()),
    }),
  ],
  runClaims: RUN_CLAIMS,
};
