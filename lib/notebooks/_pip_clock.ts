import { type Progress, timeLeft } from "./progress.ts";

/** What the installation is called. */
export const LABEL = "Jupyter into .venv";

/** Follows pip by what it prints. */
export interface PipClock {
  /** Takes a line of pip's; says whether it shows that a package was obtained. */
  readonly take: (line: string) => boolean;
  /** The installation is over. */
  readonly stop: () => void;
}

/** Starts to follow an installation of so many packages, telling how far it has come every second. */
export function startPipClock(total: number, onProgress: (progress: Progress) => void): PipClock {
  const began = performance.now();
  const tookMs: number[] = [];
  let spentMs = 0;
  let fetchedMs: number | undefined;
  let note: string | undefined;
  const show = (): void => {
    const elapsedMs = performance.now() - began;
    // Unpacking takes about as long again as fetching, and pip says nothing while it lasts.
    const whole = fetchedMs === undefined
      ? (timeLeft({ tookMs, total, lastMs: [], currentMs: 0 }) ?? 0) + elapsedMs
      : fetchedMs * 2 - elapsedMs;
    const leftMs = tookMs.length === 0 ? undefined : Math.max(0, whole);
    onProgress({ label: LABEL, done: Math.min(tookMs.length, total), total, elapsedMs, leftMs, note });
  };
  const take = (line: string): boolean => {
    const part = obtainedPart(line);
    const elapsedMs = performance.now() - began;
    if (line.startsWith("Installing collected packages")) [fetchedMs, note] = [elapsedMs, "unpacking"];
    if (part === undefined) return false;
    tookMs.push(elapsedMs - spentMs);
    [spentMs, note] = [elapsedMs, part];
    show();
    return true;
  };
  const timer = setInterval(show, 1000);
  return { take, stop: () => clearInterval(timer) };
}

function obtainedPart(line: string): string | undefined {
  return /^(?:Collecting ([\w.-]+==[\w.]+)|Processing .*?([\w.]+-[\d][\w.]*)-[^/]*\.whl|Requirement already satisfied: (\S+))/
    .exec(line)?.slice(1).find((part) => part !== undefined);
}
