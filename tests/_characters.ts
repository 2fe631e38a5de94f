import fc from "fast-check";

/** Any character, halves of surrogate pairs too, for `fc.string({ unit: ANY })`. To make fast-check's own "binary" takes a second. */
export const ANY: fc.Arbitrary<string> = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0, max: 0xffff }),
  fc.integer({ min: 0, max: 0x10ffff }),
).map((code) => String.fromCodePoint(code));
