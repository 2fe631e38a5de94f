/**
 * Runs notebooks in a real kernel, checks them, asks models from them, and exports them as reports.
 *
 * @module
 */
export { explore, type LiveOutput, thresholdSlider } from "./explore.ts";
export { keepFigure } from "./notebook_outputs.ts";
export { type OpenedRun, openRuns, type OpenRunsOptions } from "./open_runs.ts";
export * as figures from "@/lib/figures/mod.ts";
export * as reports from "@/lib/reports/mod.ts";
export * as statistics from "@/lib/statistics/mod.ts";
