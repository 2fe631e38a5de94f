/**
 * 2,000 simulated certificates of each kind and loss: the chance of each verdict, how often they are wrong, and after how many pairs
 * they end. Prints the tables of docs/certify.md.
 */
import { ok } from "node:assert/strict";
import { chancesOfVerdicts, errorOf, flipping, LAWS, mixOf, VERDICTS } from "../certify/_certificates.ts";
import { stream } from "@/lib/random/mod.ts";
import { openMeanSequence } from "@/lib/statistics/bettors.ts";
import { openFixed } from "@/lib/certify/fixed_interval.ts";
import { expectedPairs } from "@/lib/certify/mod.ts";

const RUNS = 2000;
const MARGIN = 0.02;

/** True losses, in points, at a margin of 2. */
const LOSSES = [0, 1, 2, 3, 4, 8];

const DOCS = (await Deno.readTextFile(new URL("../../docs/certify.md", import.meta.url))).replaceAll(/ +/g, " ");

/** Prints a row of a table of docs/certify.md, and checks that it is there. */
function checkRow(cells: readonly string[]): void {
  const row = `| ${cells.join(" | ")} |`;
  console.log(row);
  ok(DOCS.includes(row), `docs/certify.md must have the row ${row}`);
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
const whole = (pairs: number): string => Math.round(pairs).toLocaleString("en");

for (const law of LAWS) {
  Deno.test(`certificates err in at most 2.5%, whatever the true loss: ${law.name}`, () => {
    const found = LOSSES.map((lost) => chancesOfVerdicts(law, -lost, { runs: RUNS, seed: "proof" }));
    for (const [at, chances] of found.entries()) {
      const error = errorOf(chances, -LOSSES[at]!);
      ok(error <= 0.025 && chances.missed <= 0.05, `${LOSSES[at]} lost: ${error} wrong, ${chances.missed} missed`);
    }
    const [none, half, margin] = found;
    const missed = Math.max(...found.map((each) => each.missed));
    checkRow([law.name, ...[margin!["no worse"], margin!.worse, half!.worse, none!.loss, missed].map(percent)]);
    if (!/^(1|5|20)% differ$/.test(law.name)) return;
    for (const [at, chances] of found.entries()) {
      const shares = [...VERDICTS.map((verdict) => chances[verdict]), chances.accepted].map(percent);
      checkRow([law.name.replace(" differ", ""), `${LOSSES[at]}`, ...shares, whole(chances.pairs)]);
    }
  });
}

Deno.test("the pairs of a certificate are those of docs/certify.md", () => {
  const rule = { margin: 2, samples: 4000, cells: mixOf(13) };
  for (const discordance of [1, 2, 5, 10]) {
    const [none, margin, twice] = [0, -2, -4].map((difference) =>
      expectedPairs({ ...rule, flips: discordance }, { discordance, difference })
    );
    checkRow([
      `${discordance}%`,
      ...[none!.mean, none!.high, margin!.mean, twice!.mean, none!.fixed].map(whole),
    ]);
  }
});

/** Returns the largest number of worse pairs that the interval of a fixed number finds no worse, for each number of better ones. */
function mostWorse(pairs: number, better: number): number {
  let [least, most] = [-1, better + Math.ceil(pairs * MARGIN) + 1];
  while (most - least > 1) {
    const worse = Math.floor((least + most) / 2);
    const values = Array.from({ length: pairs }, (_, at) => at < better ? 1 : at < better + worse ? -1 : 0);
    const evidence = openFixed(0.025);
    evidence.add({ values, weights: values.map(() => 1) });
    evidence.finish!();
    if (evidence.interval().low >= -MARGIN) least = worse;
    else most = worse;
  }
  return least;
}

/** Returns the chances of 0, 1, … successes, as far as they matter. */
function chancesOf(trials: number, share: number): readonly number[] {
  const chances: number[] = [];
  let log = trials * Math.log1p(-share);
  for (let count = 0; count <= Math.min(trials, trials * share + 8 * Math.sqrt(trials * share) + 8); count++) {
    chances.push(Math.exp(log));
    log += Math.log((trials - count) / (count + 1) * share / (1 - share));
  }
  return chances;
}

Deno.test("the interval of a fixed number errs in at most 2.5% of outcomes, and has the power of its plan", () => {
  for (const discordance of [1, 5]) {
    const { fixed } = expectedPairs({ margin: 2, samples: 5000, cells: mixOf(1) }, { discordance });
    const known = new Map<number, number>();
    const chance = (up: number, down: number): number =>
      chancesOf(fixed, up).reduce((sum, ofBetter, better) => {
        if (ofBetter < 1e-9) return sum;
        const most = known.get(better) ?? mostWorse(fixed, better);
        known.set(better, most);
        const ofWorse = chancesOf(fixed - better, down / (1 - up)).slice(0, most + 1);
        return sum + ofBetter * ofWorse.reduce((total, each) => total + each, 0);
      }, 0);
    const power = chance(discordance / 200, discordance / 200);
    const sizes = [0.02, 0.03, 0.05].map((changed) => chance((changed - MARGIN) / 2, (changed + MARGIN) / 2));
    const percents = [power, ...sizes].map((each) => `${(100 * each).toFixed(2)}%`);
    console.log(`fixed, ${discordance}% differ: ${fixed} pairs, power and errors ${percents}`);
    ok(power > 0.85 && sizes.every((size) => size <= 0.025));
  }
});

Deno.test("five looks that are not corrected err in more than 4%, and questions of one context taken as independent in more than 10%", () => {
  const draw = stream("uncorrected");
  const share = (isWrong: () => boolean): number =>
    Array.from({ length: 4000 }, isWrong).filter((wrong) => wrong).length / 4000;
  const source = flipping(5, -2);
  const looks = share(() => {
    let [better, worse] = [0, 0];
    return [1, 2, 3, 4, 5].some((look) => {
      for (let pair = 0; pair < 400; pair++) {
        const [base, change] = source(draw, 0);
        if (change > base) better++;
        if (change < base) worse++;
      }
      const pairs = 400 * look;
      const loss = (worse - better) / pairs;
      return (MARGIN - loss) / Math.sqrt(((better + worse) / pairs - loss ** 2) / pairs) > 1.96;
    });
  });
  const ignored = share(() => {
    const sequence = openMeanSequence([-MARGIN], 0.025);
    for (let context = 0; context < 1500; context++) {
      const shared = source(draw, 0);
      const values = Array.from({ length: 4 }, () => {
        const [base, change] = draw() < Math.sqrt(0.5) ? shared : source(draw, 0);
        return change - base;
      });
      sequence.add({ values, weights: values.map(() => 1) });
    }
    return sequence.interval().low >= -MARGIN;
  });
  console.log(`five looks ${(100 * looks).toFixed(1)}%, clusters ignored ${(100 * ignored).toFixed(1)}%`);
  ok(looks > 0.04 && ignored > 0.1);
});
