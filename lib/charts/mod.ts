/**
 * Summaries as captioned figures and tables: shown in a notebook, on a page or in a file, and the same in each.
 *
 * @module
 */
export { ablationFigure, type AblationFigureOptions } from "./studies/ablation_figure.ts";
export { barChart } from "./bar_chart.ts";
export type { BarOptions } from "./bar_options.ts";
export type { Category } from "./_categories.ts";
export { type CdmeTableOptions, replyCountTable, twinTable, type TwinTableOptions } from "./studies/cdme_tables.ts";
export { depthHeatmap, type DepthHeatmapOptions } from "./studies/depth_heatmap.ts";
export { claimTable, type ClaimTableOptions } from "./studies/claim_table.ts";
export { type Clustered, clusteredHeatmap, type ClusteredHeatmapOptions } from "./clustered_heatmap.ts";
export type { ColourScheme } from "./_colours.ts";
export { correlationFigure, type CorrelationFigureOptions } from "./studies/correlation_figure.ts";
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
export { failedReplyTable, type FailedReplyTableOptions } from "./studies/failed_reply_table.ts";
export { failureChart, type FailureChartOptions } from "./studies/failure_chart.ts";
export { frequencyFigure, type FrequencyFigureOptions } from "./studies/frequency_figure.ts";
export { heatmap } from "./heatmap.ts";
export type { HeatmapOptions } from "./heatmap_options.ts";
export { comparisonTable, type ComparisonTableOptions } from "./studies/comparison_table.ts";
export { coverageFigure, type CoverageFigureOptions } from "./studies/coverage_figure.ts";
export { coverageTable, type CoverageTableOptions } from "./studies/coverage_table.ts";
export { designsTable, type DesignsTableOptions } from "./studies/designs_table.ts";
export { type SamplePlanChartOptions, samplePlanFigure, samplePlanTable } from "./studies/sample_plan.ts";
export { settledTable } from "./studies/settled_table.ts";
export { effectiveLengthTable, type EffectiveLengthTableOptions } from "./studies/effective_length_table.ts";
export { judgeTable, type JudgeTableOptions } from "./studies/judge_table.ts";
export { leaderboardTable, type LeaderboardTableOptions } from "./studies/leaderboard_table.ts";
export { lengthLabel } from "./length_label.ts";
export { lineChart } from "./line_chart.ts";
export type { LineOptions } from "./line_options.ts";
export { modelFigure, type ModelFigureOptions } from "./studies/model_figure.ts";
export { numberText } from "./number_text.ts";
export { panels, type PanelsOptions } from "./panels.ts";
export { drawPng, type PngOptions } from "./png.ts";
export { promptDependenceChart } from "./studies/prompt_dependence_chart.ts";
export { type PromptDependenceOptions, promptFactorTable } from "./studies/prompt_factor_table.ts";
export type { Domain, Tooltips } from "./_rows.ts";
export type { Spacing } from "./_axis.ts";
export { residualFigure } from "./studies/residual_figure.ts";
export { residualTable } from "./studies/residual_table.ts";
export { searchTable, type SearchTableOptions } from "./studies/search_table.ts";
export { saveFigure } from "./save_figure.ts";
export { scoreCurves, type ScoreCurvesOptions } from "./studies/score_curves.ts";
export { scoreTable, type ScoreTableOptions } from "./studies/score_table.ts";
export { scatterChart } from "./scatter_chart.ts";
export type { ScatterOptions } from "./scatter_options.ts";
export {
  categoryTable,
  clusterStabilityTable,
  linkageTable,
  type StudyTableOptions,
  taskTable,
} from "./studies/study_tables.ts";
export { type Column, type Table, table, type TableOptions } from "./table.ts";
export type { Palette } from "./_theme.ts";
export type { Threshold } from "./_threshold.ts";
export { starMatrices, starMatrix, type StarMatrixOptions } from "./studies/star_matrix.ts";
export { errorPlacesChart } from "./studies/error_places_chart.ts";
export { lengthStabilityChart, lengthStabilityTable } from "./studies/length_stability_chart.ts";
export { errorPlacesTable, starChangeTable, starErrorTable, type StarTableOptions } from "./studies/star_tables.ts";
export { parsedTable, taskLimitTable, type ThreadingTableOptions } from "./studies/threading_tables.ts";
export { modelHeatmap, type ModelHeatmapOptions, type ModelScoreCell } from "./studies/model_heatmap.ts";
export { limitHeatmap } from "./studies/limit_heatmap.ts";
export { knobCurves, type KnobCurvesOptions, type KnobPoint } from "./studies/knob_curves.ts";
export { limitCurves, type LimitCurvesOptions, type LimitPoint } from "./studies/limit_curves.ts";
export { depthPanels, type DepthPanelsOptions } from "./studies/depth_panels.ts";
export { depthTable, type DepthTableOptions, thirdsTable } from "./studies/depth_tables.ts";
export { closeUpTable, type CloseUpTableOptions, factTable } from "./studies/close_up_tables.ts";
export { outcomeTable, overviewTable, type RunTableOptions } from "./studies/run_tables.ts";
