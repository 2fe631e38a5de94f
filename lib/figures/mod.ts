/**
 * Captioned charts and tables that state the origin of their numbers, shown in notebooks and saved as files.
 *
 * @module
 */
export { divideFrame, fixedExtent, lengthLabel } from "./axis.ts";
export { angledLabels, fittingAngle } from "./band.ts";
export { barChart, type BarOptions } from "./bar_chart.ts";
export type { Category, ChartOptions, IntervalOptions, PlaneOptions, SeriesOptions } from "./chart_options.ts";
export { claimTable, modelClaimTable } from "./claim_table.ts";
export { colourLegend, type ColourOptions, colourScale, type ColourScheme, RED_TO_GREEN } from "./colour_scale.ts";
export { coloursOf, type Palette } from "./colours.ts";
export { depthMap, type DepthMapCell, type DepthMapOptions, depthTable, thirdsTable } from "./depth_figures.ts";
export { failureChart } from "./failure_chart.ts";
export {
  type Chart,
  type Drawing,
  type Field,
  type Figure,
  type FigureFrame,
  type FigureOptions,
  type FigureParts,
  JUPYTER_DISPLAY,
  type MimeBundle,
  type Titled,
} from "./figure.ts";
export { heatmap, type HeatmapOptions } from "./heatmap.ts";
export { htmlPage } from "./html_page.ts";
export type { LegendContent, LegendPlace } from "./legend.ts";
export { lineChart, type LineOptions } from "./line_chart.ts";
export type { Threshold } from "./line_labels.ts";
export { makeFigure } from "./make_figure.ts";
export { darkFigureStyle, figureHtml } from "./page_figure.ts";
export type { PaperOptions } from "./paper_figure.ts";
export { panels, type PanelsOptions } from "./panels.ts";
export { pivot, type PivotOptions, type PlainRow, plot } from "./pivot.ts";
export { changeSentence, comparisonTable, effectiveLengthTable, modelTaskTable, searchTable } from "./run_tables.ts";
export { saveFigure } from "./save_figure.ts";
export { intervalOptions, type KnownScore, modelHeatmap, scoreCurves, scoreTable } from "./score_figures.ts";
export { renderSvg } from "./svg.ts";
export { type Column, type Table, table, type TableOptions } from "./table.ts";
export { type Align, terminalLines, type TerminalOptions, type TextRole, type Tone } from "./table_text.ts";
export { textWidth, type Weight } from "./text_fit.ts";
export { type Domain, FONT, type Spec } from "./theme.ts";
export { intervalText, viewOf } from "./tooltips.ts";
export type { Zoom } from "./zoom.ts";
