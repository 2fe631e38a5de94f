import { CDME_CLAIMS } from "./claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** OpenCompass's needle test: claims about its code, checked on the code as rebuilt here. */
export const CDME_PAPER: Paper = {
  claims: [
    claimSet({
      name: "code",
      title: "Statements about OpenCompass's needle test, checked on its code as rebuilt here",
      origin: "computed",
      claims: CDME_CLAIMS,
      evidence: () => undefined,
    }),
  ],
  runClaims: [],
};
