import type { FigureOptions } from "./figure.ts";
import { capitalised, numberText } from "./text_fit.ts";
import { type Origin, originText } from "@/lib/statistics/mod.ts";

/** Returns the phrases of the note: origin, n, interval, the notes of the chart, and the warning. */
export function notePhrases(options: FigureOptions, notes: readonly string[] = []): string[] {
  const { n, interval, origin, warning } = options;
  const samples = typeof n === "number" ? `n = ${numberText(n)}` : n;
  return [
    originPhrase(origin),
    samples,
    interval ?? "no interval",
    ...notes,
    ...(warning === undefined ? [] : [warning]),
  ];
}

export function originsOf(origin: FigureOptions["origin"]): Origin[] {
  return typeof origin === "string" ? [origin] : [...new Set(Object.values(origin))];
}

export function isDoubtful(origins: readonly Origin[]): boolean {
  return origins.includes("simulated") || origins.includes("unknown");
}

function originPhrase(origin: FigureOptions["origin"]): string {
  const text = typeof origin === "string" ? originText(origin) : originsOf(origin).map((kind) => {
    const series = Object.keys(origin).filter((name) => origin[name] === kind);
    return `${originText(kind)}: ${series.length <= 4 ? series.join(", ") : `${series.length} series`}`;
  }).join("; ");
  return capitalised(text);
}
