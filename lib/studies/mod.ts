/**
 * Studies: files of studies, materials and models; plans with their samples, tokens, time and price; manifests.
 *
 * @module
 */
export { fitBudget } from "./budget.ts";
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
export { findMisfit, readYaml, v, wholeNumber, yamlText } from "./files.ts";
export {
  FATHOM_VERSION,
  machineText,
  type MeasuredWith,
  type RecordsMark,
  type Repair,
  type RunHeader,
  type RunManifest,
  type Shard,
  suiteText,
  type TaskHeader,
  variantsOf,
} from "./manifest.ts";
export {
  checkRunFolder,
  checkRunName,
  hasOwnSamples,
  manifestText,
  OWN_SAMPLES,
  placeStudy,
  readManifest,
  readManifestFile,
  RUNS_FOLDER,
  writeManifest,
} from "./manifest_file.ts";
export {
  type MaterialNames,
  type MaterialsOptions,
  type OpenMaterials,
  openMaterials,
  pathsOf,
  type Places,
  type StudyPaths,
} from "./materials.ts";
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
  type ReadVariable,
} from "./models.ts";
export {
  describeRun,
  makeTasks,
  type OpenedOptions,
  type OpenStudy,
  openStudy,
  type RemadeSample,
  remakeSample,
  rememberSamples,
  type SampleRecipe,
} from "./open_study.ts";
export { type AskingPace, busySeconds, cappedPace, paceOfRecords, paceOfServer, type TimedRecord } from "./pace.ts";
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
} from "./plan.ts";
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
  type RunEstimate,
} from "./plan_cost.ts";
export { type Display, notebookProgress, type ProgressView, type RunProgress, shellProgress } from "./progress.ts";
export { studyOfSamples, UNKNOWN_PROMPT } from "./sample_files.ts";
export {
  type BenchmarkOptions,
  checkStudy,
  type Measure,
  readStudyFile,
  samplesOf,
  type Study,
  type StudyChanges,
} from "./study.ts";
export { isFolder, SERVER_TOKENIZER } from "./tokenizers.ts";
