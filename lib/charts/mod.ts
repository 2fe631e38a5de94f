/**
 * Summaries as captioned figures and tables: shown in a notebook, on a page or in a file, and the same in each.
 *
 * @module
 */
export { barChart } from "./bar_chart.ts";
export { heatmap } from "./heatmap.ts";
export { lengthLabel } from "./length_label.ts";
export { lineChart } from "./line_chart.ts";
export { numberText } from "./number_text.ts";
export { panels } from "./panels.ts";
export { scatterChart } from "./scatter_chart.ts";
