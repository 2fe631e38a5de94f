/**
 * Studies: files of studies, materials and models; plans with their samples, tokens, time and price; manifests.
 *
 * @module
 */
export {
  checkCorpus,
  type CheckedFile,
  CORPORA_FOLDER,
  type Corpus,
  type CorpusFile,
  fetchCorpus,
  type FetchCorpusOptions,
  pickCorpora,
  readCorpora,
} from "./corpora.ts";
export { checkRunFolder, findMisfit, plainName, readYaml, userFolder, v, wholeNumber, yamlText } from "./files.ts";
export {
  checkRunName,
  FATHOM_VERSION,
  hasOwnSamples,
  type ImportedFrom,
  machineText,
  manifestText,
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
  studyForFile,
  studyFromFile,
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
export {
  budgetNotes,
  type Cell,
  dealSamples,
  listSamples,
  type Plan,
  type PlannedSample,
  planShard,
  planStudy,
  readShard,
  repeatNotes,
  shardText,
} from "./plan.ts";
export {
  type Allowance,
  allowanceOf,
  answerAllowance,
  type AskingPace,
  batchPrices,
  busySeconds,
  cappedPace,
  type Effort,
  type EffortRow,
  effortTable,
  type EstimateOptions,
  estimateRun,
  paceOfRecords,
  paceOfServer,
  priceOf,
  type Prices,
  type RunEstimate,
  type TimedRecord,
} from "./plan_cost.ts";
export {
  type Display,
  type NotebookProgress,
  notebookProgress,
  type ProgressView,
  type RunProgress,
  shellProgress,
  timeText,
} from "./progress.ts";
export { canScore, studyOfSamples, UNKNOWN_PROMPT } from "./sample_files.ts";
export {
  type BenchmarkOptions,
  checkStudy,
  pathsOf,
  type Places,
  readStudyFile,
  samplesOf,
  type Study,
  type StudyChanges,
} from "./study.ts";
export { SERVER_TOKENIZER } from "./tokenizers.ts";
