/** Four different UUIDs. */
export const [A, B, C, D]: readonly [string, string, string, string] = [
  "0e7bbda8-78e4-8982-dbec-b7b4a4c0c665",
  "cdf6c32a-f0c7-4198-24ed-3d4bf0959271",
  "76151098-89e4-9599-f81c-d933b401383f",
  "5520364a-42f5-36dc-4b2a-9e85ac96f1fa",
];
