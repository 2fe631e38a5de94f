/**
 * Studies: files of studies, materials and models; plans with their samples, tokens, time and price; manifests.
 *
 * @module
 */
export {
  type AskedTokens,
  type AskingPace,
  busySeconds,
  cappedPace,
  type MinuteCaps,
  paceOfRecords,
  paceOfServer,
  statedPace,
  type TimedRecord,
} from "./asking_pace.ts";
export {
  checkCorpus,
  CORPORA_FOLDER,
  type Corpus,
  type CorpusFile,
  type CorpusState,
  fetchCorpus,
  type FetchCorpusOptions,
  pickCorpora,
  readCorpora,
} from "./corpora.ts";
export { checkRunFolder, hashBytes, hashOf, plainName, realPath, userFolder, writeWhole, yamlText } from "./files.ts";
export {
  checkRunName,
  FATHOM_VERSION,
  FROM_BUNDLE,
  hasOwnSamples,
  type ImportedFrom,
  MAX_MANIFEST_BYTES,
  type MeasuredWith,
  OWN_SAMPLES,
  readManifest,
  readManifestFile,
  type RecordsMark,
  type Repair,
  repairTexts,
  type RunHeader,
  type RunManifest,
  RUNS_FOLDER,
  type Shard,
  suiteText,
  type TaskHeader,
  variantsOf,
  writeManifest,
} from "./manifest.ts";
export { type MaterialNames, type MaterialsOptions, type OpenMaterials, openMaterials } from "./materials.ts";
export { type ModelEntry, priceOfModel } from "./model_entries.ts";
export {
  countedFor,
  type Destination,
  destinationText,
  isSimulatedReader,
  type ModelChoice,
  type OpenedModel,
  openModel,
  type OpenModelOptions,
  type PromptReads,
  type ReadVariable,
  simulatedModel,
  type SimulatedModelOptions,
} from "./models.ts";
export {
  type DescribedModel,
  describeRun,
  makeTasks,
  type OpenedOptions,
  type OpenStudy,
  openStudy,
  type RemadeSample,
  remakeSample,
  rememberLast,
  rememberSamples,
} from "./open_study.ts";
export { budgetNotes, type Cell, listSamples, type Plan, type PlannedSample, planStudy, repeatNotes } from "./plan.ts";
export {
  addEfforts,
  type Allowance,
  allowanceOf,
  answerAllowance,
  batchPrices,
  type Effort,
  type EffortRow,
  type EstimateOptions,
  estimateRun,
  priceOf,
  type Prices,
  recordBytes,
  type RunEstimate,
  runMemory,
} from "./plan_cost.ts";
export {
  type Display,
  type NotebookProgress,
  notebookProgress,
  type NotebookProgressOptions,
  type ProgressView,
  type RunProgress,
  shellProgress,
  type ShellProgressOptions,
  timeText,
} from "./progress.ts";
export { canScore, studyOfSamples, UNKNOWN_PROMPT } from "./sample_files.ts";
export { dealSamples, planShard, readShard, shardText } from "./shards.ts";
export { type BenchmarkOptions, checkStudy, readStudyFile, samplesOf, type Study, type StudyChanges } from "./study.ts";
export { isTokenizerName, SERVER_TOKENIZER } from "./tokenizers.ts";
