import { type Draw, integer, pick, shuffle, stream } from "@/lib/random/mod.ts";

/** The counts that replies are about. */
export const COUNTS = [3, 5, 9, 15, 19, 21];

/** A reply as a model might write it, and the kind of fault in it. */
export interface DrawnReply {
  readonly kind: string;
  readonly language: "zh" | "en";
  readonly reply: string;
}

/** What a kind is written with: the key of the language, and entries, most of them right. */
interface Pieces {
  readonly key: string;
  readonly list: readonly number[];
  /** The list with a separator, or with each entry changed. */
  readonly join: (separator?: string, change?: (entry: number, at: number) => string) => string;
  /** Draws one of some texts. */
  readonly any: (...texts: readonly string[]) => string;
  /** Draws a whole number from 0 to below this. */
  readonly upTo: (limit: number) => number;
}

/** Changes one entry in about three. */
function some({ upTo }: Pieces, change: (entry: number) => string): (entry: number) => string {
  return (entry) => upTo(3) === 0 ? change(entry) : String(entry);
}

const UNITS = ["颗", "★", "颗★", " ★", "%", " stars", "th", "个", "º", "😀", "K", "ⅷ", "²", "km"];
const WORDS = [
  "three",
  "三",
  "十五",
  "x",
  "...",
  "…",
  "none",
  "None",
  "null",
  "true",
  "False",
  "NULL",
  "nan",
  "t",
  "f",
  "n",
];
const TAILS = [
  "",
  " ",
  "\n",
  "}",
  "]",
  "]}",
  "}}",
  "\nMore.",
  " // done",
  " (6 stars)",
  " 以上。",
  '"',
  ";",
  ",",
  "\\",
  "{}",
  "[]",
];

const KINDS: Readonly<Record<string, (pieces: Pieces) => string>> = {
  "clean": ({ key, join, any }) => `{"${key}"${any(":", ": ", " : ", ":\n")}[${join(any(",", ", ", ",\n", " , "))}]}`,
  "numbers as texts": (p) => `{"${p.key}": [${p.join(", ", some(p, (n) => p.any(`"${n}"`, `'${n}'`, `“${n}”`)))}]}`,
  "units behind": (p) => `{"${p.key}": [${p.join(p.any(",", ", "), some(p, (n) => n + p.any(...UNITS)))}]}`,
  "units behind all": ({ key, join, any }) => {
    const unit = any(...UNITS);
    return `{"${key}": [${join(any(",", ", ", "，", "、"), (n) => n + unit)}]}`;
  },
  "units in texts": (p) => `{"${p.key}": [${p.join(", ", some(p, (n) => `"${n}${p.any(...UNITS)}"`))}]}`,
  "words for numbers": (p) => `{"${p.key}": [${p.join(", ", some(p, () => p.any(...WORDS)))}]}`,
  "no commas": ({ key, join, any }) => `{"${key}": [${join(any(" ", "\n", "  ", "\t", ";", "|", " and "))}]}`,
  "commas too many": ({ key, join, any }) => `{"${key}": [${join(any(",,", ", ,", ",\n,"))}${any(",", ",,", "")}],}`,
  "full-width marks": ({ key, join, any }) =>
    `${any("{", "｛")}${any('"', "“", "＂")}${key}${any('"', "”", "＂")}${any(":", "：")}${any("[", "［", "【")}` +
    `${join(any("，", "、", ","))}${any("]", "］", "】")}${any("}", "｝")}`,
  "full-width digits": (p) =>
    `{"${p.key}": [${
      p.join(", ", some(p, (n) => String(n).replace(/\d/g, (d) => String.fromCodePoint(0xff10 + Number(d)))))
    }]}`,
  "other quotation marks": ({ key, join, any }) => {
    const [open, close] = any("''", "“”", "‘’", "``", "「」", '""', "\"'", "'\"", "”“").split("");
    return `{${open}${key}${close}: [${join()}]}`;
  },
  "quotation marks missing": ({ key, join, any }) =>
    `{${any('"', "", "'")}${key}${any('"', "", "'")}${any(":", " :", ": ", "")}[${join()}]}`,
  "doubled quotation marks": ({ key, join, any }) =>
    `{${any('""', '"', '"""')}${key}${any('""', '"', '"""')}: [${
      join(", ", (n) => any(`""${n}""`, `"${n}""`, `""${n}"`, `${n}`))
    }]}`,
  "brackets missing": ({ key, join, any }) =>
    `${any("{", "")}"${key}": ${any("[", "", "(", "{")}${join()}${any("]", "", ")", "}")}${any("}", "")}`,
  "brackets too many": ({ key, join, any }) =>
    `${any("{", "{{", "[")}"${key}": ${any("[[", "[", "[{")}${join()}${any("]]", "]", "]]]", "}]")}${
      any("}}", "}", "")
    }`,
  "cut off": ({ key, join, upTo }) => {
    const whole = `{"${key}": [${join(", ")}]}`;
    return whole.slice(0, 1 + upTo(whole.length));
  },
  "beginning cut off": ({ key, join, upTo }) => {
    const whole = `{"${key}": [${join(", ")}]}`;
    return whole.slice(upTo(whole.length));
  },
  "colon missing or wrong": ({ key, join, any }) =>
    `{"${key}"${any("", " ", "=", " => ", "::", ",", "; ", "：", " is ", ":=")}[${join()}]}`,
  "comments": (p) =>
    `{${p.any("", "/* a */ ", "// a\n", "# a\n")}"${p.key}": [${
      p.join(", ", some(p, (n) => n + p.any(" // one\n", " /* two, 9 */", " # three\n", " (four)", " <!-- 5 -->")))
    }]}`,
  "ellipses": (p) =>
    `{"${p.key}": [${
      p.join(p.any(", ", ","), some(p, (n) => p.any(`${n}...`, "...", `..., ${n}`, ". . .", "…", ".", "..")))
    }]}`,
  "signs": (p) =>
    `{"${p.key}": [${p.join(", ", some(p, (n) => p.any("+", "-", "--", "- ", "~", "≈", "#", "−", "$") + n))}]}`,
  "decimals and exponents": (p) =>
    `{"${p.key}": [${
      p.join(
        ", ",
        some(p, (n) => n + p.any(".0", ".", ".5", "e0", "E0", "e", "e1", "e-1", "e+0", ".0.0", "e400", ".e", "E")),
      )
    }]}`,
  "ranges and fractions": (p) =>
    `{"${p.key}": [${
      p.join(", ", some(p, (n) => n + p.any("-5", "/1", "/", "-", "–5", "~9", " to 9", "_0", ":", "/5/9")))
    }]}`,
  "leading zeros": (p) => `{"${p.key}": [${p.join(", ", some(p, (n) => p.any("0", "00", "0x", "0.") + n))}]}`,
  "thousands": ({ key, join, any }) =>
    `{"${key}": ${any("", "[")}${join(any(",", ", "), (n) => any(`${n}`, `${n},000`))}${any("", "]")}, "n": 1,000}`,
  "NaN and infinities": (p) =>
    `{"${p.key}": [${
      p.join(", ", some(p, () => p.any("NaN", "Infinity", "-Infinity", "nan", "inf", "undefined", "+Infinity")))
    }]}`,
  "nested lists": (p) =>
    p.any(
      `{"${p.key}": [[${p.join()}]]}`,
      `{"${p.key}": [${p.join(", ", some(p, (n) => `[${n}]`))}]}`,
      `{"${p.key}": [${p.join(", ", some(p, (n) => `{"n": ${n}}`))}]}`,
      `[{"${p.key}": [${p.join()}]}]`,
      `{"a": {"${p.key}": [${p.join()}]}}`,
    ),
  "not a list": ({ key, join, any, list }) =>
    `{"${key}": ${
      any(
        `"${join()}"`,
        `${list[0]}`,
        "null",
        `{"a": ${list[0]}}`,
        `(${join()})`,
        `{${join()}}`,
        "true",
        `'${join()}'`,
        join(),
      )
    }}`,
  "fields before": (p) =>
    `{${
      p.any(
        '"a": 1',
        '"note": "see ""this"""',
        "'a': 'b'",
        '"a": "b, c"',
        "a: b",
        '"a": [1, 2',
        '"a": {"b": 2}',
        '"a": true',
        '"a": ',
        '"": 1',
        '"t": "5\\" x"',
        '"a": "b" "c"',
        '"x": 1,000',
      )
    }${p.any(", ", " ", ",\n", "; ")}"${p.key}": [${p.join()}]}`,
  "fields behind": (p) =>
    `{"${p.key}": [${p.join()}]${p.any(", ", " ", "\n", "; ", "，")}${
      p.any(
        '"total": 72',
        '"总数": 72',
        '"note": "the "best" of all"',
        "a: b}",
        "'a': 'it's'",
        '"a": "cut',
        '"b": [3, 5',
        '"a": nul',
        `"${p.key}": [3]`,
      )
    }${p.any("}", "", "]}")}`,
  "text before": (p) =>
    p.any(
      "Here it is: ",
      "答案：",
      "[1] ",
      "{a} ",
      "json ",
      "\ufeff",
      "> ",
      "The answer (3 of 6) is ",
      '"',
      "- ",
      "小企鹅: ",
      "```",
      "let x = ",
      "5. ",
    ) + `{"${p.key}": [${p.join()}]}`,
  "text behind": (p) =>
    `{"${p.key}": [${p.join()}]}${p.any(...TAILS)}${
      p.any("", " I hope it helps.", " {a: 1}", " [3]", "\n\n(Not 22.)", ' "quoted"', "😀")
    }`,
  "two objects": ({ key, join, any, list }) =>
    `{"${key}": [${join()}]}${any("", "\n", ", ", " or ")}{"${key}": [${list[0]}]}`,
  "an object for each": ({ key, join, any }) => join(any("\n", ", ", ""), (n) => `{"${key}": [${n}]}`),
  "the key again": ({ key, join }) => `{${join(", ", (n) => `"${key}": [${n}]`)}}`,
  "another key": ({ key, join, any }) =>
    `{"${
      any(`${key} `, ` ${key}`, key.toUpperCase(), "penguin", "小 企鹅", "", `${key}s`, "\\u5c0f\\u4f01\\u9e45")
    }": [${join()}]}`,
  "bare list": ({ join, any }) => any(`[${join()}]`, `[${join()}`, join(), `(${join()})`, `{${join()}}`),
  "fence": ({ key, join, any }) =>
    `${any("", "Sure:\n")}\`\`\`${any("", "json", "JSON", "jsonc", "python", "json5")}${
      any("\n", " ", "")
    }{"${key}": [${join(any(",", ",\n  "))}]}${any("\n", "")}${any("```", "``", "", "```\nDone.", "````")}`,
  "fence round broken JSON": (p) =>
    `\`\`\`json\n{${p.any('"', "'", "")}${p.key}${p.any('"', "'", "")}: [${
      p.join(", ", some(p, (n) => n + p.any(...UNITS, "")))
    }${p.any("]", "", ",]")}${p.any("}", "")}\n\`\`\``,
  "escapes": ({ key, join, any }) =>
    `{${any('\\"', '"')}${key}${any('\\"', '"', '\\""')}: [${
      join(", ", (n) => any(`${n}`, `${n}`, `\\"${n}\\"`, `"\\${n}"`, `\\n${n}`, `"\\u0033"`))
    }]}`,
  "escaped whole": ({ key, join }) => JSON.stringify(`{"${key}": [${join()}]}`),
  "spaces of all kinds": ({ key, join, any }) => {
    const space = any("\u00a0", "\u3000", "\u2028", "\u200b", "\t", "\r\n", "\u0085", "\u001c", "\u0000", "\ufeff");
    return `{${space}"${key}"${space}:${space}[${join(`,${space}`)}${space}]${space}}`;
  },
  "list as text": (p) => `{"${p.key}": "[${p.join()}]"}`,
  "table or bullets": ({ key, join, any }) =>
    `${key}:\n${join("\n", (n, at) => any(`- ${n}`, `${at + 1}. ${n}`, `| ${n} |`, `* "${n}"`))}`,
  "objects of counts": ({ key, join, any }) =>
    `{"${key}": {${join(", ", (n, at) => any(`"${at}": ${n}`, `${at}: ${n}`, `"n": "${n}"`))}}}`,
  "tags": (p) =>
    p.any("<answer>", "<b>", "**", '<think>{"a": [1]}</think>', "<|im_start|>") + `{"${p.key}": [${p.join()}]}` +
    p.any("</answer>", "**", "<|im_end|>", ""),
  "apostrophes": (p) =>
    `{'${p.key}': [${p.join(", ", some(p, (n) => p.any(`'${n}'`, `it's ${n}`, `${n}'`, `'${n}`, `"${n}'`)))}]${
      p.any("", ", 'n': 'it's'")
    }}`,
  "half texts": (p) =>
    `{"${p.key}": [${p.join(", ", some(p, (n) => p.any(`"${n}`, `${n}"`, `"a, ${n}`, `a"${n}`, `"${n}" "`)))}]}`,
};

/** What is put in at random places: the marks that decide how broken JSON is read. */
const MARKS = Array.from("{}[]():,;\"'“”`\\/.-+eE0359 \n\ttfnx颗★，：小…２²😀#*=");

/** Deletes, puts in, repeats or swaps some characters. */
function edit(text: string, draw: Draw): string {
  const marks = Array.from(text);
  for (let edits = integer(draw, { low: 1, high: 4 }); edits > 0 && marks.length > 0; edits--) {
    const at = integer(draw, { low: 0, high: marks.length - 1 });
    const way = integer(draw, { low: 0, high: 3 });
    if (way === 0) marks.splice(at, 1);
    else if (way === 1) marks.splice(at, 0, pick(draw, MARKS));
    else if (way === 2) marks[at] = pick(draw, MARKS);
    else marks.splice(at, 0, ...marks.splice(integer(draw, { low: 0, high: marks.length - 1 }), 1));
  }
  return marks.join("");
}

/** Draws replies of all kinds in turn, every second one with some characters changed. */
export function drawReplies(count: number): DrawnReply[] {
  const kinds = Object.entries(KINDS);
  return Array.from({ length: count }, (_, at): DrawnReply => {
    const draw = stream("malformed replies", at);
    const [kind, write] = kinds[at % kinds.length]!;
    const upTo = (limit: number): number => integer(draw, { low: 0, high: limit - 1 });
    // Most in Chinese, as the reference repairs English replies in fences alone.
    const language = upTo(6) === 0 ? "en" : "zh";
    const others = [4, 7, 22, 100, 226];
    const list = shuffle(draw, [...COUNTS, ...others]).slice(0, 1 + upTo(9));
    const join: Pieces["join"] = (separator = ", ", change = String) =>
      list.map((n, place) => change(n, place)).join(separator);
    const key = language === "zh" ? "小企鹅" : "little_penguin";
    const reply = write({ key, list, join, any: (...texts) => pick(draw, texts), upTo });
    const isEdited = Math.floor(at / kinds.length) % 2 === 1;
    return { kind: isEdited ? `${kind}, changed` : kind, language, reply: isEdited ? edit(reply, draw) : reply };
  });
}
