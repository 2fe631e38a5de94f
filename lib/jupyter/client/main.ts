// The script of a report: its charts and tables. Without it pictures and tables stay as they are. Texts are set as text.

import { enliven, showTips } from "./charts.ts";
import { makeSortable } from "./tables.ts";

showTips();
document.querySelectorAll<HTMLElement>("figure.chart").forEach(enliven);
document.querySelectorAll<HTMLTableElement>(".rows > table").forEach(makeSortable);
