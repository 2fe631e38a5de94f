/**
 * Captioned charts and tables that state the origin of their numbers, shown in notebooks and saved as files.
 *
 * @module
 */
export { angledLabels, divideFrame, fittingAngle, fixedExtent, lengthLabel } from "./axis.ts";
export {
  cannotDraw,
  type Category,
  type ChartOptions,
  type IntervalOptions,
  intervalText,
  type PlaneOptions,
  type SeriesOptions,
} from "./chart.ts";
export { barChart, type BarOptions } from "./bar_chart.ts";
export { claimTable, type ModelClaims, modelClaimTable } from "./claim_table.ts";
export {
  type Clustered,
  clusteredHeatmap,
  type ClusteredHeatmapOptions,
  type ClusterNode,
} from "./clustered_heatmap.ts";
export { depthMap, type DepthMapCell, type DepthMapOptions, depthTable, thirdsTable } from "./depth_figures.ts";
export { failureChart, type FailureChartOptions } from "./failure_chart.ts";
export {
  type Chart,
  type Drawing,
  type Field,
  type Figure,
  type FigureFrame,
  type FigureOptions,
  type FigureParts,
  htmlPage,
  JUPYTER_DISPLAY,
  makeFigure,
  type MimeBundle,
  type Titled,
} from "./figure.ts";
export {
  colourLegend,
  type ColourOptions,
  colourScale,
  type ColourScheme,
  coloursOf,
  type Domain,
  FONT,
  type LegendContent,
  type LegendPlace,
  type Palette,
  type Spec,
} from "./theme.ts";
export { heatmap, type HeatmapOptions } from "./heatmap.ts";
export { darkFigureStyle, figureHtml } from "./page_figure.ts";
export { lineChart, type LineOptions } from "./line_chart.ts";
export { panels, type PanelsOptions } from "./panels.ts";
export { pivot, type PivotOptions, type PlainRow, plot } from "./pivot.ts";
export {
  comparisonTable,
  effectiveLengthTable,
  leaderboardTable,
  modelTaskTable,
  pText,
  repeatTable,
  searchTable,
  searchVerdict,
} from "./run_tables.ts";
export { type PngOptions, saveFigure } from "./save_figure.ts";
export { scatterChart, type ScatterOptions } from "./scatter_chart.ts";
export {
  knobCurves,
  type KnobCurvesOptions,
  type KnobPoint,
  modelHeatmap,
  neededPairsTable,
  type SamplePlanChartOptions,
  samplePlanFigure,
  samplePlanTable,
  scoreCurves,
  type ScoreCurvesOptions,
  scoreTable,
} from "./score_figures.ts";
export { type Column, type ColumnsByField, type Table, table, type TableOptions } from "./table.ts";
export type { Align, TerminalOptions, TextRole, Tone } from "./table_text.ts";
export type { Threshold } from "./line_labels.ts";
