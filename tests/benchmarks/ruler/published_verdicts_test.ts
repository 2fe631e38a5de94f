import { deepEqual, equal } from "node:assert/strict";
import {
  ABLATION_CLAIMS,
  CORRELATION_CLAIMS,
  MODEL_CLAIMS,
  openPublished,
  publishedAblationLines,
  publishedCorrelationStudy,
  RULER_CLAIMS,
} from "@/lib/benchmarks/ruler/mod.ts";
import { checkClaims, type CheckedClaim } from "@/lib/statistics/mod.ts";

const published = await openPublished();
const tables = checkClaims(RULER_CLAIMS, published);
const section5 = checkClaims(ABLATION_CLAIMS, { lines: publishedAblationLines(published), replies: null });
const section6 = checkClaims(MODEL_CLAIMS, published);
const appendixC = checkClaims(CORRELATION_CLAIMS, publishedCorrelationStudy(published));

function verdicts(claims: readonly CheckedClaim[], kind: CheckedClaim["kind"]): Readonly<Record<string, string>> {
  return Object.fromEntries(claims.filter((claim) => claim.kind === kind).map(({ id, verdict }) => [id, verdict]));
}

Deno.test("what the paper says of its tables, on the tables", () => {
  deepEqual(verdicts(tables, "paper"), {
    "R1": "holds",
    "R2": "holds",
    "R3": "holds",
    "R4": "holds",
    "R5": "holds",
    "R6": "holds",
    "R7": "holds",
    "R8": "holds",
    "R9": "holds",
    // LongAlpaca on both, ChatGLM on vanilla needles.
    "R10": "fails",
    // 12 of 17 score 100.
    "R10-T10": "cannot tell",
    // 7 of 17 do.
    "R10-T11": "fails",
    "R11": "holds",
    "R27": "holds",
    "R30": "holds",
  });
  // 87.22 and 79.18 follow from the categories, 85.6 and 79.4 are printed.
  deepEqual(verdicts(tables, "check"), { "R30-thresholds": "fails" });
});

Deno.test("what section 5 says of Yi-34B, on the lines of Figures 2 and 3 as read by hand", () => {
  deepEqual(verdicts(section5, "paper"), {
    // 100.0 at all sixteen points.
    "R12": "holds",
    "R12-digits": "cannot tell",
    // 94.4, 100.0 and 87.0 at 256K.
    "R12-types": "holds",
    "R12-uuids": "holds",
    // 100.0 against 58.6.
    "R13": "holds",
    "R13-near": "cannot tell",
    // 8 keys stand above 4 at 4K, 8K and 16K, by 0.2 to 1.2 points of 500 samples.
    "R14": "cannot tell",
    // 100.0 against 85.0.
    "R15": "holds",
    // 100.0 against 81.9 at 256K.
    "R16": "holds",
    "R16-repeats": "cannot tell",
    "R17": "cannot tell",
    "R17-short": "cannot tell",
    "R18": "cannot tell",
    "R19-chains": "holds",
    "R19-hops": "holds",
    // 76.8, 76.5, 78.7 at 128K.
    "R19-late": "holds",
    "R19-steady": "holds",
    "R20": "holds",
    // 80.4 to 62.4 over 28.8, and 65.0 to 48.4 over 31.6.
    "R21": "holds",
  });
  deepEqual(verdicts(section5, "check"), {
    // Words as keys of UUIDs score 100.0 up to 256K.
    "R12-each": "fails",
    "R12-words": "holds",
    "R14-longest": "holds",
    // 74.3 at 4K, 81.9 at 256K.
    "R16-length": "fails",
    "R19-chains-each": "cannot tell",
    "R19-hops-each": "cannot tell",
  });
});

Deno.test("what section 6 says of families of models, on the lines of Figure 4 as read by hand", () => {
  deepEqual(verdicts(section6, "paper"), {
    // 63.3 against 68.6.
    "R22": "holds",
    "R22-overall": "holds",
    "R23": "holds",
    // LWM-128K stands at 59.2, 61.2 and 59.7 from 32K to 128K after 74.1 at 4K.
    "R24": "fails",
    "R25": "holds",
    "R25-loss": "holds",
    "R26": "holds",
    // RWKV by 8.7, 17.9 and 33.4.
    "R26-below": "holds",
    "R26-llama": "holds",
  });
  // Base models at 4K to 32K: 83.8, 79.3, 76.3, 70.3 trained on 32K against 77.5, 74.0, 69.6, 64.7 trained on 1M.
  deepEqual(verdicts(section6, "check"), { "R22-within": "fails" });
});

Deno.test("what appendix C says of tasks and categories, on Figure 5", () => {
  deepEqual(verdicts(appendixC, "paper"), {
    "R28": "holds",
    "R28-clusters": "fails",
    // Two chains are as like HotpotQA as they are like one chain (0.855 both).
    "R28-redundant": "cannot tell",
  });
  deepEqual(verdicts(appendixC, "check"), { "R28-same": "fails" });
});

Deno.test("of 46 statements of the paper 33 hold on its own numbers, 4 fail and 9 cannot be told", () => {
  const stated = [tables, section5, section6, appendixC].flat().filter(({ kind }) => kind === "paper");
  const count = (verdict: string): number => stated.filter((claim) => claim.verdict === verdict).length;
  deepEqual([stated.length, count("holds"), count("fails"), count("cannot tell")], [46, 33, 4, 9]);
  equal(new Set(stated.map(({ id }) => id)).size, stated.length);
});
