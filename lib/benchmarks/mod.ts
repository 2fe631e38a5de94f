/**
 * The published suites, each one object in its own folder, and their registry.
 *
 * @module
 */
export {
  type Benchmark,
  joinNeighbours,
  type Paper,
  type Regrader,
  type ReplyToRegrade,
  type TestFiles,
  type TestLine,
} from "./benchmark.ts";
export { openBenchmark } from "./open_benchmark.ts";
export {
  BENCHMARKS,
  chosenTasks,
  findFamily,
  findRegrader,
  findScorer,
  listFamilies,
  namedTasks,
  namesakeFamily,
  scoredTask,
  withoutTwins,
} from "./registry.ts";
export { rightAnswers } from "./right_answers.ts";
export { type ScoredTask, scorePredictions } from "./score_predictions.ts";
export { type FitOptions, fitPrompt, type RowWriter, sampleRows, testFileRows } from "./sample_rows.ts";
