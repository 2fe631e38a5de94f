import type { Sample } from "@/lib/generators/mod.ts";

/** Returns the depth of the one target of a sample, or why it has none. */
export function targetDepth({ facts }: Sample): number | string {
  const targets = facts.filter(({ role }) => role === "target");
  if (targets.length !== 1) return `it asks for ${targets.length} facts`;
  return targets[0]!.depth ?? "what it asks for is spread over the context";
}
