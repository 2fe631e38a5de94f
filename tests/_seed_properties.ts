import fc from "fast-check";

// The tests draw the same cases on every machine. FATHOM_SEED=… draws others; a case that fails then becomes a test of its own.
fc.configureGlobal({ seed: Number(Deno.env.get("FATHOM_SEED") ?? 42) });
