/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** A secret shorter than this is only taken out where it stands as a word, as it may be a part of common words. */
const SHORT = 8;

/** OpenAI's keys, and keys that a server has masked by halves. */
const LIKELY_KEYS = /\bsk-[\w*-]{4,}|[\w-]*\*{3,}[\w-]*/g;

/** Makes a function that puts `[key]` in the place of every secret, and of what looks like a key. */
export function redactor(secrets: readonly string[]): Redact {
  const forms = secrets.filter((secret) => secret !== "").flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const patterns = [...new Set(forms)].map((form) => {
    const plain = RegExp.escape(form);
    return new RegExp(form.length < SHORT ? `(?<![\\w-])${plain}(?![\\w-])` : plain, "g");
  });
  return (text) =>
    patterns.reduce((redacted, pattern) => redacted.replaceAll(pattern, "[key]"), text).replaceAll(
      LIKELY_KEYS,
      "[key]",
    );
}
