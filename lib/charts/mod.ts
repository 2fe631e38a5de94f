/**
 * Summaries as captioned figures and tables: shown in a notebook, on a page or in a file, and the same in each.
 *
 * @module
 */
export { ablationFigure, type AblationFigureOptions } from "./ablation_figure.ts";
export { barChart } from "./bar_chart.ts";
export type { BarOptions } from "./bar_options.ts";
export type { Category } from "./_categories.ts";
export { type CdmeTableOptions, replyCountTable, twinTable, type TwinTableOptions } from "./cdme_tables.ts";
export { depthHeatmap, type DepthHeatmapOptions } from "./depth_heatmap.ts";
export { claimTable, type ClaimTableOptions } from "./claim_table.ts";
export { type Clustered, clusteredHeatmap, type ClusteredHeatmapOptions } from "./clustered_heatmap.ts";
export type { ColourScheme } from "./_colours.ts";
export { correlationFigure, type CorrelationFigureOptions } from "./correlation_figure.ts";
export {
  type Drawing,
  type Field,
  type Figure,
  type FigureOptions,
  type FigureParts,
  type Frame,
  JUPYTER_DISPLAY,
  type LegendPlace,
  type MimeBundle,
  type Spec,
} from "./figure.ts";
export { failedReplyTable, type FailedReplyTableOptions } from "./failed_reply_table.ts";
export { failureChart, type FailureChartOptions } from "./failure_chart.ts";
export { frequencyFigure, type FrequencyFigureOptions } from "./frequency_figure.ts";
export { heatmap } from "./heatmap.ts";
export type { HeatmapOptions } from "./heatmap_options.ts";
export { comparisonTable, type ComparisonTableOptions } from "./comparison_table.ts";
export { coverageFigure, type CoverageFigureOptions } from "./coverage_figure.ts";
export { coverageTable, type CoverageTableOptions } from "./coverage_table.ts";
export { designsTable, type DesignsTableOptions } from "./designs_table.ts";
export { type SamplePlanChartOptions, samplePlanFigure, samplePlanTable } from "./sample_plan.ts";
export { settledTable } from "./settled_table.ts";
export { effectiveLengthTable, type EffectiveLengthTableOptions } from "./effective_length_table.ts";
export { judgeTable, type JudgeTableOptions } from "./judge_table.ts";
export { leaderboardTable, type LeaderboardTableOptions } from "./leaderboard_table.ts";
export { lengthLabel } from "./length_label.ts";
export { lineChart } from "./line_chart.ts";
export type { LineOptions } from "./line_options.ts";
export { modelFigure, type ModelFigureOptions } from "./model_figure.ts";
export { numberText } from "./number_text.ts";
export { panels, type PanelsOptions } from "./panels.ts";
export { drawPng, type PngOptions } from "./png.ts";
export { promptDependenceChart } from "./prompt_dependence_chart.ts";
export { type PromptDependenceOptions, promptFactorTable } from "./prompt_factor_table.ts";
export type { Domain, Tooltips } from "./_rows.ts";
export type { Spacing } from "./_axis.ts";
export { residualFigure } from "./residual_figure.ts";
export { residualTable } from "./residual_table.ts";
export { searchTable, type SearchTableOptions } from "./search_table.ts";
export { saveFigure } from "./save_figure.ts";
export { scoreCurves, type ScoreCurvesOptions } from "./score_curves.ts";
export { scoreTable, type ScoreTableOptions } from "./score_table.ts";
export { scatterChart } from "./scatter_chart.ts";
export type { ScatterOptions } from "./scatter_options.ts";
export {
  categoryTable,
  clusterStabilityTable,
  linkageTable,
  type StudyTableOptions,
  taskTable,
} from "./study_tables.ts";
export { type Column, type Table, table, type TableOptions } from "./table.ts";
export type { Palette } from "./_theme.ts";
export type { Threshold } from "./_threshold.ts";
export { starMatrices, starMatrix, type StarMatrixOptions } from "./star_matrix.ts";
export { errorPlacesChart } from "./error_places_chart.ts";
export { lengthStabilityChart, lengthStabilityTable } from "./length_stability_chart.ts";
export { errorPlacesTable, starChangeTable, starErrorTable, type StarTableOptions } from "./star_tables.ts";
export { parsedTable, taskLimitTable, type ThreadingTableOptions } from "./threading_tables.ts";
export { modelHeatmap, type ModelHeatmapOptions, type ModelScoreCell } from "./model_heatmap.ts";
export { limitHeatmap } from "./limit_heatmap.ts";
export { knobCurves, type KnobCurvesOptions, type KnobPoint } from "./knob_curves.ts";
export { limitCurves, type LimitCurvesOptions, type LimitPoint } from "./limit_curves.ts";
export { depthPanels, type DepthPanelsOptions } from "./depth_panels.ts";
export { depthTable, type DepthTableOptions, thirdsTable } from "./depth_tables.ts";
export { closeUpTable, type CloseUpTableOptions, factTable } from "./close_up_tables.ts";
export { outcomeTable, overviewTable, type RunTableOptions } from "./run_tables.ts";
