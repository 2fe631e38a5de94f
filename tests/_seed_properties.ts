import "./_limits.ts";
import { tmpdir } from "node:os";
import fc from "fast-check";

// The tests draw the same cases on every machine. FATHOM_SEED=… draws others; a case that fails then becomes a test of its own.
fc.configureGlobal({ seed: Number(Deno.env.get("FATHOM_SEED") ?? 42) });

// Runs of tests are confirmed here, and not among the user's own; the user's settings do not count.
for (const kind of ["CONFIG", "STATE"]) Deno.env.set(`XDG_${kind}_HOME`, `${tmpdir()}/fathom-tests/${kind}`);
