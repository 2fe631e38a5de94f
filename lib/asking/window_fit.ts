import { grouped, lengthText, someOf } from "@/lib/base/mod.ts";
import { answerRoomAt, type Sample } from "@/lib/generators/mod.ts";
import type { Model, ServerReport } from "@/lib/models/mod.ts";
import type { Cell, Plan } from "@/lib/studies/mod.ts";

/** Returns the tokens around a prompt that lengths count. */
export function countedAround(model: Model): number {
  return model.template.extraTokens - thinkingOf(model).inside;
}

/** Returns the tokens for thinking in addition to the answer, whether the length includes them or not. */
function thinkingOf({ settings }: Pick<Model, "settings">): { readonly inside: number; readonly outside: number } {
  const thinking = Number(settings["thinkingTokens"] ?? 0);
  return settings["thinkingInside"] ? { inside: thinking, outside: 0 } : { inside: 0, outside: thinking };
}

/** The share of its length that a sample fills at least, if that is in tokens. */
const FILLED = 0.95;

/** Estimates the tokens that a prompt of a cell and its answer need, in the model's own tokens. */
export function estimateNeed(
  { task, length }: Pick<Cell, "task" | "length">,
  { report, model, measured, plan }: {
    readonly report: ServerReport;
    readonly model: Model;
    /** A sample of each task that the server counted. */
    readonly measured: ReadonlyMap<string, Sample>;
    readonly plan: Plan | undefined;
  },
): number {
  const { tokenRatios, templateTokens } = report;
  const { extraTokens } = model.template;
  // A task that was not measured counts as the one with the highest ratio.
  const ratio = tokenRatios[task.name] ?? Math.max(...Object.values(tokenRatios));
  const room = answerRoomAt(task, length);
  const answer = Number(model.settings["maxTokens"]) || room;
  if (!Number.isFinite(ratio)) return length - room + answer;
  const sample = measured.get(task.name);
  const used = sample === undefined ? length : sample.promptTokens + sample.answerRoom;
  const isFilled = sample === undefined || (used <= sample.length && used >= FILLED * sample.length);
  // A task that counts its lengths in characters or words needs tokens in proportion to its sample.
  const local = isFilled
    ? length - room - extraTokens
    : (sample.promptTokens - (plan?.template.extraTokens ?? 0)) * length / sample.length;
  return Math.ceil(ratio * local) + (templateTokens ?? countedAround(model)) + answer + thinkingOf(model).inside;
}

/** The window of a server, and what a prompt of a cell and its answer need of it in the model's own tokens. */
export interface WindowNeed {
  readonly report: Pick<ServerReport, "window">;
  /** Estimates the tokens of a cell. */
  needed(cell: Pick<Cell, "task" | "length">): number;
}

/**
 * Refuses cells whose samples do not fit the window of the model's entry, otherwise of its server, before any of them is sent.
 *
 * @param cells The cells that have a sample left to ask.
 * @throws {RangeError} If cells do not fit; the message names them and what to do.
 */
export function checkWindow(cells: readonly Cell[], { report, needed }: WindowNeed, model: Model): void {
  const { window: served = Infinity } = report;
  const window = model.window ?? served - thinkingOf(model).outside;
  const misfits = cells.filter((cell) => needed(cell) > window);
  if (misfits.length === 0) return;
  const named = someOf(
    misfits.map((cell) => `${grouped(needed(cell))} for ${cell.task.name} at ${lengthText(cell.length)}`),
  );
  const whose = model.window === undefined ? "its server's window" : "the window of its entry";
  const longest = Math.min(...misfits.map((cell) => longestFit(cell, needed, window)));
  const fits = longest > 0 ? `Lengths up to ${longest} fit these tasks` : "No length of these tasks fits";
  throw new RangeError(
    `Cannot ask model "${model.name}" as each prompt with its answer must fit ${whose} of ${grouped(window)} tokens: ` +
      `current value is about ${named}, in the model's own tokens. ${fits}; a larger window is configured at the server`,
  );
}

/** Returns the longest length of a task that fits, rounded down to a hundred; 0 if none does. */
function longestFit({ task, length, least }: Cell, needed: WindowNeed["needed"], window: number): number {
  let [fits, exceeds] = [0, length];
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (needed({ task, length: middle }) <= window) fits = middle;
    else exceeds = middle;
  }
  const rounded = Math.floor(fits / 100) * 100;
  return rounded < least ? 0 : rounded;
}
