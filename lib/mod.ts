/**
 * The functions for your own scripts and notebooks: from a study to figures and claims, and for your own benchmark.
 *
 * @example A study asked of a model, summarised and shown
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { checkStudy, effectiveLength, runStudy, simulatedModel, summarise } from "@/lib/mod.ts";
 *
 * const folder = await mkdtemp("/tmp/fathom-");
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512, 1024], samples: 4 });
 * const run = await runStudy(study, { name: "first", model: simulatedModel("ideal"), folder });
 * const rows = summarise(run.replies);
 * equal(rows[0]?.score, 100);
 * equal(effectiveLength(rows, 85.6).text, ">1K");
 * await rm(folder, { recursive: true });
 * ```
 *
 * @example One sample, made by hand
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { NIAH, openMaterials } from "@/lib/mod.ts";
 *
 * const materials = await openMaterials({ tokenizer: "o200k_base" });
 * const sample = NIAH.make({ keys: 8 }).sample({ length: 4096, seed: "42", index: 0, materials });
 * ok(sample.promptTokens + sample.answerRoom <= 4096);
 * ```
 *
 * @module
 */

import type { PlacedEvidence } from "@/lib/statistics/mod.ts";

// Studies: tasks, lengths, numbers of samples.
export {
  checkStudy,
  estimateRun,
  makeTasks,
  openMaterials,
  type OpenStudy,
  openStudy,
  type Plan,
  planStudy,
  readStudyFile,
  type Study,
  suiteText,
} from "@/lib/studies/mod.ts";
export { chooseBySearch, searchRun } from "@/lib/asking/mod.ts";

// Models.
export { type Answer, type Failure, joinPrompt, type Model, type Reply } from "@/lib/models/mod.ts";
export { type ModelChoice, openModel } from "@/lib/studies/mod.ts";
export { simulatedModel } from "@/lib/simulated/mod.ts";

// Runs: replies and their scores.
export { runStudy, type StudyRun } from "@/lib/asking/mod.ts";
export {
  listRuns,
  openMeasured,
  readRun,
  readScoredRun,
  type RecordedRun,
  type RunRecord,
  type ScoredReply,
  scoreRecords,
} from "@/lib/records/mod.ts";
export { importRun, replyRows } from "@/lib/exchange/mod.ts";

// Reports of one run or several.
export {
  checkPapers,
  closedBookAnswers,
  closeUp,
  compareReplies,
  compareRuns,
  depthFigure,
  drawnFrom,
  drawnFromAll,
  type ExplainedRecord,
  failureFigure,
  pickReply,
  placeReplies,
  replyOutcomes,
  type RunAnswer,
  runAnswer,
  runFailures,
  runReport,
  runScores,
} from "@/lib/reports/mod.ts";

// Certificates of a change.
export {
  type Certificate,
  certificateFigure,
  certifiedCellTable,
  certify,
  type CertifyOptions,
  certifyPairs,
  certifyRuns,
  expectedPairs,
  recordedCertificate,
} from "@/lib/certify/mod.ts";

// Statistics.
export {
  checkClaims,
  type Claim,
  comparePairs,
  depthCells,
  differenceInterval,
  effectiveLength,
  lengthMeans,
  minimumDetectableDifference,
  pairRecords,
  planSamples,
  possibleLengths,
  type RunEvidence,
  scoredRows,
  type ScoreRow,
  summarise,
  type SummaryRow,
  type Third,
  type ThirdsCompared,
  wilsonInterval,
} from "@/lib/statistics/mod.ts";
export { failureRows } from "@/lib/statistics/failures/mod.ts";

// Figures and tables.
export {
  barChart,
  changeSentence,
  claimTable,
  depthMap,
  failureChart,
  type Figure,
  heatmap,
  lineChart,
  panels,
  pivot,
  type PlainRow,
  plot,
  saveFigure,
  scoreCurves,
  scoreTable,
  type Table,
  table,
} from "@/lib/figures/mod.ts";

// Benchmarks: built-in ones, and your own.
export { type Benchmark, BENCHMARKS, openBenchmark } from "@/lib/benchmarks/mod.ts";
export { CDME_NEEDLES } from "@/lib/benchmarks/cdme/needles.ts";
export { STARS } from "@/lib/benchmarks/counting_stars/stars.ts";
export { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
export { PROMPT_RECALL } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
export { NIAH } from "@/lib/benchmarks/ruler/niah.ts";

// Task families: knobs, recipe, scorer and reader.
export {
  breakAt,
  type Category,
  type ChatTemplate,
  checkEssays,
  type Difficulty,
  essayFiller,
  type Fact,
  type FactRole,
  type Family,
  family,
  type FamilyOptions,
  fillBy,
  type Filler,
  finalAnswer,
  firstAlone,
  type GivenKnobs,
  type HiddenFact,
  hideFacts,
  jsonList,
  type Knob,
  type KnobOptions,
  type Knobs,
  type Layout,
  lineFiller,
  type LineSource,
  type Materials,
  maybe,
  type Named,
  number,
  type NumberRange,
  oneOf,
  type Part,
  type PartFact,
  type Planted,
  plantFacts,
  type Prompt,
  type Recipe,
  type RecipeRequest,
  type Role,
  type Sample,
  type SamplePlace,
  type SampleRequest,
  type SeeFact,
  startMessage,
  type Task,
  type TaskChoice,
  text,
  userPrompt,
  userText,
  whole,
  type Wrapping,
} from "@/lib/generators/mod.ts";
export { type Draw, integer, pick, shuffle, spread, stream } from "@/lib/random/mod.ts";
export {
  allFound,
  answerMatch,
  type AnswerShape,
  anyFound,
  edits,
  type Grading,
  type Score,
  type Scorer,
  setMatch,
  stringMatchAll,
  stringMatchPart,
} from "@/lib/scorers/mod.ts";
export { type Haystack, measure, type Measured, type Tokenizer } from "@/lib/text/mod.ts";

/** Reads the published scores by length of all suites in one form, that of `runScores()`; loads the papers. */
export async function publishedScores(): Promise<readonly PlacedEvidence[]> {
  return await (await import("@/lib/papers/suites/published_scores.ts")).publishedScores();
}
