import { FIGURES } from "./_figures.ts";

for (const [, make] of FIGURES) console.log(await make().svg());
