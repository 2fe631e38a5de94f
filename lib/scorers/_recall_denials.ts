// What says that there is no more than was said denies nothing.
const NO_MORE = /\b(?:other|else|alternatives?|additional|beyond|further|qualifications?|equivocation|outside)\b/;

const DENIALS: readonly RegExp[] = [
  /\b(?:not|never|n[’']t) (?:\w+ ){0,3}?(?:mention|provide|contain|state|address|discuss|specify|say|give|include|answer|reveal)/,
  /\b(?:cannot|can[’']t|can not|unable to|not able to|no way to) (?:\w+ ){0,3}?(?:answer|state|determine|provide|tell|find|say|give)/,
  /\b(?:no|not have (?:an?|enough|any|sufficient)|not enough|insufficient) (?:[\w"“”']+ ){0,3}?(?:information|answers?|mention|indication|reference|details|way|context)\b/,
  /\b(?:do|does|did) not know\b|\bdon[’']t know\b/,
];

/** Whether a sentence says that there is no answer. */
export function isDenial(sentence: string): boolean {
  const text = sentence.toLowerCase().replace(/\bwithout [^,]*,/g, "");
  return !NO_MORE.test(text) && DENIALS.some((denial) => denial.test(text));
}

/** Whether a sentence takes back what is said in it: `not a patent but a trademark`. */
export function isNegated(sentence: string, isWanted: (word: string) => boolean): boolean {
  const unquoted = sentence.replace(/["“][^"”]*["”]/g, " ").toLowerCase();
  const words = unquoted.match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];
  const at = words.findIndex((word) => /^(?:not|never)$|n['’]t$/.test(word));
  return at >= 0 && words.slice(at + 1, at + 6).some(isWanted);
}
