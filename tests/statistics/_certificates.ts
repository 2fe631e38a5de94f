import type { Draw } from "@/lib/random/mod.ts";
import { type CertificateRule, type CertificateState, openCertificate } from "@/lib/statistics/mod.ts";

/** A mix of cells with equal weights, or with those given. */
export function mixOf(weights: number | readonly number[]): CertificateRule["cells"] {
  const all = typeof weights === "number" ? Array.from({ length: weights }, () => 1) : weights;
  return all.map((weight, at) => ({ name: `cell ${at}`, weight }));
}

/** A kind of pair to simulate: draws both mean scores of a context of a cell. */
export type PairSource = (draw: Draw, cell: number) => readonly [base: number, change: number];

/** Yes/no pairs that differ with a chance, and by a difference on average; both in points. */
export function flipping(discordance: number, difference: number): PairSource {
  const [better, worse] = [(discordance + difference) / 200, (discordance - difference) / 200];
  return (draw) => {
    const place = draw();
    if (place < better) return [0, 1];
    return place < better + worse ? [1, 0] : [1, 1];
  };
}

/** Questions about one context, of which each takes the context's own draw with a chance: two correlate by its square. */
export function sharing(source: PairSource, questions: number, icc: number): PairSource {
  return (draw, cell) => {
    const shared = source(draw, cell);
    let [base, change] = [0, 0];
    for (let question = 0; question < questions; question++) {
      const [one, other] = draw() < Math.sqrt(icc) ? shared : source(draw, cell);
      base += one / questions;
      change += other / questions;
    }
    return [base, change];
  };
}

/** Runs one certificate to its end. */
export function runCertificate(
  rule: CertificateRule,
  { source, draw, questions = 1 }: { readonly source: PairSource; readonly draw: Draw; readonly questions?: number },
): CertificateState {
  const certificate = openCertificate(rule);
  let isFinal = false;
  for (let round = 0; !isFinal; round++) {
    isFinal = certificate.add(rule.cells.map(({ name }, at) => {
      const [base, change] = source(draw, at);
      return { cell: name, round, base, change, questions };
    }));
  }
  return certificate.state();
}
