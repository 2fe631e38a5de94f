import { deepEqual, equal, match } from "node:assert/strict";
import { GENERATOR_CLAIMS } from "@/lib/papers/ruler/mod.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const materials = await openMaterials();
const sample = (index: number) => rulerTask("fwe").sample({ length: 4096, seed: "42", index, materials });

Deno.test("GENERATOR_CLAIMS hold for frequent words made here", () => {
  const checked = checkClaims(GENERATOR_CLAIMS, { samples: [sample(0), sample(1)], alpha: 2 });
  deepEqual(checked.map(({ id, verdict }) => [id, verdict]), [["R29", "holds"], ["R31", "holds"]]);
});

Deno.test("GENERATOR_CLAIMS fail for counts that follow another exponent, and for a prompt that is too long", () => {
  equal(checkClaims(GENERATOR_CLAIMS, { samples: [sample(0)], alpha: 1.5 })[0]!.verdict, "fails");
  const long = { ...sample(0), promptTokens: 4096 };
  equal(checkClaims(GENERATOR_CLAIMS, { samples: [long], alpha: 2 })[1]!.verdict, "fails");
});

Deno.test("GENERATOR_CLAIMS cannot tell without samples", () => {
  const checked = checkClaims(GENERATOR_CLAIMS, { samples: [], alpha: 2 });
  deepEqual(checked.map(({ verdict }) => verdict), ["cannot tell", "cannot tell"]);
  match(checked[0]!.observed, /no sample/);
});
