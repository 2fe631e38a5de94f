/** Texts that a server or a file could give, to be taken for something else where they are shown. */
export const NASTY_TEXTS: readonly string[] = [
  "m\n::error::forged",
  "::set-output name=verdict::no worse",
  " \t::add-mask::x",
  "m\r\n### ✅ No worse",
  "##[error]forged",
  "m ##[group]x",
  "@octocat",
  "m (@octocat)",
  "https://evil.example/x",
  "see http://evil.example and www.evil.example",
  "[click](https://evil.example)",
  "![](https://evil.example/pixel.png)",
  "<img src=x onerror=alert(1)>",
  "</system-out></testcase><testcase name='forged'>",
  "<!-- fathom -->",
  "]]><x>",
  "m `code` | cell | **bold** _under_",
  "\u202egnp.exe\u202c",
  "\u2066m\u2069",
  "\u001b[31mred\u001b[0m\u0007",
  "m\u0000\u0008\u2028line\u2029",
  "#1 and octo/repo#2",
  "\ud800half",
  "x".repeat(5000),
];

/** What must not be in a text that is shown on one line. */
export const LIVE = {
  // deno-lint-ignore no-control-regex -- they are searched for
  controls: /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/u,
  command: /^\s*::|##\[/m,
  mention: /(?<!\w)@(?=\w)/,
  link: /https?:\/\/|\bwww\.\w/i,
  reference: /(?<!\w|&|\\u\{)#\d/,
  tag: /<[a-z!/?]/i,
} as const;

/** Names the live constructs in a text. */
export function liveIn(
  text: string,
  kinds: readonly (keyof typeof LIVE)[] = Object.keys(LIVE) as never,
): readonly string[] {
  return kinds.filter((kind) => LIVE[kind].test(text));
}
