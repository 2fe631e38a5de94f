import type { Output } from "./output.ts";
import { type ProgressView, shellProgress } from "@/lib/studies/mod.ts";

/** Opens a view of progress on standard error, as wide as its terminal. */
export function openProgress({ redraw }: Output): ProgressView {
  const isTerminal = Deno.stderr.isTerminal();
  return shellProgress({
    ...{ write: redraw, isTerminal },
    ...(isTerminal ? { columns: Deno.consoleSize().columns } : {}),
  });
}
