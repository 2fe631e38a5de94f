import { describeServer, type Findings, measuresTemplate } from "./server_findings.ts";
import { makeSample } from "./make_sample.ts";
import { ModelNotAskable, watchEndpoint } from "./watch.ts";
import { estimateNeed, type WindowNeed } from "./window_fit.ts";
import { defined, shownText, someOf } from "@/lib/base/mod.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import type { Failure, Model, ProbeOptions, ServerReport } from "@/lib/models/mod.ts";
import type { Plan, RunHeader } from "@/lib/studies/mod.ts";

/** The findings about a model's server before the first question. */
export interface Preflight extends Findings, WindowNeed {
  /** The report that the run's manifest keeps. */
  readonly report: ServerReport;
  /** Why the model cannot be asked; left out if it can. */
  readonly error?: Error;
  /** Why no short question was answered; left out if one was, or none was asked. */
  readonly failure?: Failure;
  /** The model with the measured tokens of its server's chat template taken off each length, unless the user gave a number. */
  readonly model: Model;
}

/**
 * Probes a model's server before the first question; `undefined` for a model without one, such as a simulated reader.
 *
 * Asks at most four short questions. Facts that the server does not give are left out.
 *
 * @param options.plan The plan whose samples the server counts.
 */
export async function preflight(
  model: Model,
  options: Pick<ProbeOptions, "asks" | "weighs" | "signal" | "onWait"> & { readonly plan?: Plan } = {},
): Promise<Preflight | undefined> {
  const { plan, ...probing } = options;
  if (model.probe === undefined) return undefined;
  const measured = new Map<string, Sample>();
  const { report, failure } = await model.probe(plan === undefined ? [] : sampleTasks(plan, measured), {
    ...probing,
    weighs: options.weighs ?? plan?.measure !== undefined,
    count: (text) => plan?.materials.tokenizer.count(text) ?? 0,
  });
  const { templateTokens, messageTokens } = report;
  const settled = measuresTemplate(model) ? withTemplateTokens(model, templateTokens, messageTokens) : model;
  const watch = watchEndpoint(model.name);
  const error = failure === undefined ? whyUnmeasured(report, plan) : watch.note(failure) ?? watch.atEnd();
  const { lines, warnings } = describeServer(report, settled, plan);
  const isUnknown = failure !== undefined && error === undefined;
  const why = shownText(failure?.message ?? "", 500);
  const unknown = `A short question had no answer, so little is known of the server: ${why}`;
  const isNamed = error !== undefined && report.isServed === false;
  return {
    report,
    lines,
    warnings: isUnknown ? [unknown, ...warnings] : warnings,
    ...defined({
      failure,
      error: isNamed ? new ModelNotAskable(`${error.message}; it serves ${someOf(report.served ?? [])}`) : error,
    }),
    model: settled,
    // Samples that are fitted to the server need their length.
    needed: (cell) => plan?.fitsServer ? cell.length : estimateNeed(cell, { report, model: settled, measured, plan }),
  };
}

/** Returns why a server cannot be asked for the measure of a plan. */
function whyUnmeasured({ weighs, software = "unknown software" }: ServerReport, plan?: Plan): Error | undefined {
  if (weighs !== "not at all" || plan?.measure === undefined) return undefined;
  return new ModelNotAskable(
    `Cannot measure the ${plan.measure} as the server must give log-probabilities, of a given text or of its replies: current value is ${
      shownText(software)
    }, which gives none`,
  );
}

/** Returns a model with the lengths of a run that it began: with the same tokens taken off for its server's chat template. */
export function asRunBegan<M extends Model>(
  model: M,
  { settings, template }: Pick<RunHeader, "settings" | "template">,
): M {
  const { templateTokens = model.settings["templateTokens"] } = settings;
  return withTemplateTokens(model, Number(templateTokens), template.messageTokens);
}

/** Takes the tokens of a server's chat template off each length, unless the user gave a number or none is known. */
export function withTemplateTokens<M extends Model>(model: M, tokens: number | undefined, messageTokens?: number): M {
  if (model.withTemplateTokens === undefined || tokens === undefined) return model;
  // The model can have more properties than its endpoint, such as its entry's window.
  return { ...model, ...model.withTemplateTokens(tokens, messageTokens), withTemplateTokens: undefined };
}

/** The maximum number of tasks that are measured, and the maximum length of their samples. */
const MEASURED = { tasks: 16, length: 32_768 };

/** Makes a long sample of each task, as its filler decides the ratio of tokens. */
function* sampleTasks(plan: Plan, measured: Map<string, Sample>): Generator<Sample> {
  const tasks = new Set(plan.cells.map(({ task }) => task));
  for (const task of [...tasks].slice(0, MEASURED.tasks)) {
    const lengths = plan.cells.filter((cell) => cell.task === task).map(({ length }) => length);
    const length = lengths.findLast((each) => each <= MEASURED.length) ?? lengths[0]!;
    const sample = makeSample(plan, { task, length, index: plan.first });
    if (sample instanceof RangeError) continue;
    measured.set(task.name, sample);
    yield sample;
  }
}
