/// <reference lib="dom" />
import { html, render } from "lit-html";
import { View } from "vega-view";
import { transforms } from "vega-dataflow";
import { expressionInterpreter } from "vega-interpreter";
import * as basic from "vega-transforms";
import * as views from "vega-view-transforms";
import * as encoders from "vega-encode";
import { effectiveLengthBoard, meanOfClusters, pairedComparison, possibleLengths } from "@/lib/statistics/mod.ts";
import type { ExplorerFacts } from "../data.ts";

Object.assign(transforms, basic, views, encoders);
const facts: ExplorerFacts = JSON.parse(document.getElementById("facts")!.textContent!);
render(html`<p>${facts.runs.length}</p>`, document.body);
console.log(View, expressionInterpreter, effectiveLengthBoard, meanOfClusters, pairedComparison, possibleLengths);
