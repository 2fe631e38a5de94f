import { deepEqual, equal, ok } from "node:assert/strict";
import { FAILURE_COLOURS } from "@/lib/figures/failure_chart.ts";
import { colourAt, RED_TO_GREEN, viridisAt } from "@/lib/figures/colour_scale.ts";
import { coloursOf, DARK, DISTINCT, ORDERED, REST, seriesColours } from "@/lib/figures/colours.ts";

type Triple = readonly [number, number, number];

/** Simulated colour vision in linear RGB: Machado, Oliveira and Fernandes (2009), severity 1. */
const VISIONS: Readonly<Record<string, readonly Triple[]>> = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
};

const apply = (matrix: readonly Triple[], [x, y, z]: Triple): Triple =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Triple;

function linearOf(colour: string): Triple {
  const parts = colour.startsWith("#")
    ? [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16))
    : colour.match(/\d+/g)!.map(Number);
  return parts.map((part) => part / 255).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  ) as unknown as Triple;
}

/** A colour in CIELAB (D65), as seen by a kind of colour vision. */
function labOf(colour: string, vision: string): Triple {
  const seen = apply(VISIONS[vision]!, linearOf(colour)).map((part) => Math.min(1, Math.max(0, part)));
  const xyz = apply(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]],
    seen as unknown as Triple,
  );
  const [x, y, z] = xyz.map((value, at) => {
    const share = value / [0.95047, 1, 1.08883][at]!;
    return share > 216 / 24389 ? Math.cbrt(share) : (24389 / 27 * share + 16) / 116;
  }) as unknown as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The CIE76 difference of two colours; about 2 is just noticeable. */
function difference(one: string, other: string, vision: string): number {
  const [first, second] = [labOf(one, vision), labOf(other, vision)];
  return Math.hypot(...first.map((value, at) => value - second[at]!));
}

/** A scale, how much lighter each tenth is at least, and how far neighbours of some shares are apart. */
const SCALES = [
  [viridisAt, 3, [0, 1], 80],
  [viridisAt, 3, [0, 0.5, 1], 40],
  [(share: number) => colourAt(RED_TO_GREEN, share), 1, [0, 0.25, 0.5, 0.75, 1], 10],
] as const;

Deno.test.each(Object.keys(VISIONS).map((vision) => [vision]))(
  "the scales of heatmaps grow lighter, and their parts differ, with %s colour vision",
  (vision) => {
    for (const [colourOf, lighter, shares, far] of SCALES) {
      const lightness = Array.from({ length: 11 }, (_, at) => labOf(colourOf(at / 10), vision)[0]);
      ok(lightness.every((value, at) => at === 0 || value > lightness[at - 1]! + lighter), lightness.join(" "));
      const colours = shares.map(colourOf);
      const apart = colours.slice(1).map((colour, at) => difference(colours[at]!, colour, vision));
      ok(apart.every((each) => each > far), apart.join(" "));
    }
  },
);

Deno.test.each(Object.keys(VISIONS).map((vision) => [vision]))(
  "the eight colours of series differ with %s colour vision, on white and on a dark page",
  (vision) => {
    for (const colours of [DISTINCT, DISTINCT.map((colour) => DARK[colour]!)]) {
      for (const [at, one] of colours.entries()) {
        for (const other of colours.slice(at + 1)) {
          ok(difference(one, other, vision) > 10, `${one} and ${other}: ${difference(one, other, vision).toFixed(1)}`);
        }
      }
    }
    ok(DISTINCT.every((colour) => labOf(colour, vision)[0] < 80), "dark enough on white");
  },
);

/** WCAG 2.1, relative luminance and contrast. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string): number => {
    const [red, green, blue] = linearOf(colour === "white" ? "#ffffff" : colour);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low, high] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (high! + 0.05) / (low! + 0.05);
}

Deno.test("on a dark page text has a contrast of at least 4.5 with the page, and marks 3", () => {
  const page = DARK["white"]!;
  const [texts, lines] = [["#222222", "#595959", "#a84300", "#c1121f"], ["#dcdcdc", "#ececec"]];
  for (const [light, dark] of Object.entries(DARK)) {
    if (light === "white" || lines.includes(light)) continue;
    const least = texts.includes(light) ? 4.5 : 3;
    ok(contrast(dark, page) >= least, `${light} is ${dark} there: ${contrast(dark, page).toFixed(2)}`);
  }
  for (const colour of [...DISTINCT, ...ORDERED, REST, ...Object.values(FAILURE_COLOURS)]) {
    ok(contrast(DARK[colour] ?? colour, page) >= 3, `${colour}: ${contrast(DARK[colour] ?? colour, page).toFixed(2)}`);
  }
});

Deno.test("series have at most eight hues: the others are grey, and ordered ones the nearest step", () => {
  const names = Array.from({ length: 12 }, (_, at) => `series ${at}`);
  equal(new Set(seriesColours(names, "distinct")).size, 9);
  deepEqual(seriesColours(names, "distinct").slice(8), [REST, REST, REST, REST]);
  deepEqual(new Set(seriesColours(names, "ordered")), new Set(ORDERED));
});

Deno.test("a model has the same colour in figures that share a palette, whatever else is in them", () => {
  const palette = coloursOf(["GPT-4", "Yi", "mine"]);
  const [first, second] = [seriesColours(["GPT-4", "mine"], palette), seriesColours(["mine", "other"], palette)];
  equal(first[1], second[0]);
  equal(second[1], REST);
});
