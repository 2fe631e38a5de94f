/** The simulations of clustered samples, with enough draws to tell 94 from 95%. */
Deno.env.set("FATHOM_DRAWS", "4000");
await import("../statistics/clusters_test.ts");
