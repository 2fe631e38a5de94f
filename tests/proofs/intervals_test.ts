/** The simulations of joined intervals, ranks, comparisons and searches, with enough draws to tell 94 from 95%. */
Deno.env.set("FATHOM_DRAWS", "2000");
await import("../statistics/uneven_tasks_test.ts");
await import("../statistics/primary_comparison_test.ts");
await import("../papers/evidence/rank_intervals_test.ts");
