/// <reference lib="dom" />
import { render } from "lit-html";
import { evidencePanel, type EvidenceRow } from "./threshold.ts";

/** The style of the explorer, put in where the script is built. */
declare const STYLE: string;

/** Draws the effective lengths of the rows in an element, by a threshold that can be moved. */
function drawThreshold(host: HTMLElement): void {
  const rows: readonly EvidenceRow[] = JSON.parse(host.dataset["rows"]!);
  const root = host.attachShadow({ mode: "open" });
  const [style, view] = [document.createElement("style"), document.createElement("main")];
  style.textContent = STYLE;
  view.className = "explorer";
  root.append(style, view);
  let state = {};
  const draw = (): unknown => render(evidencePanel(rows, { state, go }), view);
  const go = (changes: object): void => {
    state = { ...state, ...changes };
    draw();
  };
  draw();
}

document.querySelectorAll<HTMLElement>(".thresholds").forEach(drawThreshold);
