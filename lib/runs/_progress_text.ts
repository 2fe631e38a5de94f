import type { RunProgress } from "./run_progress.ts";

/** Tells progress in one line of words. The last one tells nothing that a second run would tell otherwise. */
export function tellProgress({ done, total, failed, asked, tokens, elapsedMs, leftMs, isOver }: RunProgress): string {
  const failures = failed === 0 ? "" : `, ${count(failed)} failed`;
  const begin = `${count(done)} of ${count(total)} questions${failures}`;
  if (isOver) return begin;
  const rate = asked === 0 ? "" : `, ${tellRate(1000 * asked / Math.max(elapsedMs, 1))}, ${tellTokens(tokens)}`;
  const left = leftMs === null ? "" : `, ${tellTime(leftMs)} left`;
  return `${percent({ done, total })}% · ${begin}${rate}${left}`;
}

/** Tells the whole per cent that is done; 100 means all of it. */
export function percent({ done, total }: Pick<RunProgress, "done" | "total">): number {
  return total === 0 ? 100 : Math.floor(100 * done / total);
}

/** Tells a time in the two largest of its units that matter, such as `4 min` or `2 h 10 min`. */
export function tellTime(timeMs: number): string {
  const seconds = Math.ceil(timeMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

function tellRate(perSecond: number): string {
  return perSecond >= 1 ? `${perSecond.toFixed(1)} a second` : `${(60 * perSecond).toFixed(1)} a minute`;
}

function tellTokens(tokens: number): string {
  return tokens < 1e6
    ? `${count(Math.round(tokens / 1000))} thousand tokens`
    : `${(tokens / 1e6).toFixed(1)} million tokens`;
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}
