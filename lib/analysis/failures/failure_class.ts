/**
 * Ways in which a reply fails, in order of precedence: where a reply shows several, the first of them is its primary one.
 *
 * First comes what befell the call, then what befell the whole reply, then what was said in place of an answer (the most
 * telling first), and last what was merely left out. RULER, section 5, names most of them.
 */
export const FAILURE_CLASSES = [
  "failed call",
  "prompt cut",
  "empty",
  "refusal",
  "loop",
  "example copied",
  "context copied",
  "no-context answer",
  "frequent words",
  "other chain",
  "distractor",
  "less frequent word",
  "not in context",
  "cut off",
  "partial value",
  "other text",
  "wrong format",
  "repeated answer",
  "chain lost",
  "incomplete list",
] as const;

/** A way in which a reply fails: one of {@linkcode FAILURE_CLASSES}. */
export type FailureClass = typeof FAILURE_CLASSES[number];

/** What each way of failing means, as a phrase for tables and captions. */
export const FAILURE_MEANINGS: Readonly<Record<FailureClass, string>> = {
  "failed call": "the call gave no reply; it is in no score",
  "prompt cut": "the server read clearly fewer tokens than it was sent",
  "empty": "nothing was said",
  "refusal": "it was said that there is no answer, or that none can be given",
  "loop": "one thing was said again and again",
  "example copied": "the answer of the worked example was given",
  "context copied": "a stretch of the prompt was repeated word for word",
  "no-context answer": "the same was said as without any context",
  "frequent words": "words frequent in English were given, not words of the list",
  "other chain": "a variable of another chain was given",
  "distractor": "what belongs to something else in the context was given",
  "less frequent word": "a word of the list was given that is not among the most frequent",
  "not in context": "something was given that stands nowhere in the context",
  "cut off": "the output budget ended the reply before its answer was whole",
  "partial value": "only a part of a value was given",
  "other text": "something else from the prompt was given, which is no planted fact",
  "wrong format": "the answer was given in another form, or nothing of the form that was asked for",
  "repeated answer": "an item was given again in place of another",
  "chain lost": "the variables of the chain are missing from some hop on",
  "incomplete list": "fewer items were given than asked for",
};
