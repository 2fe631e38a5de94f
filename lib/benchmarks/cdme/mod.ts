/**
 * OpenCompass CDME (January 2024): its needles and scorers.
 *
 * @module
 */
export { CDME } from "./cdme.ts";
export {
  type CdmeGrid,
  cdmeGrid,
  type CdmeGridName,
  type CdmePlaces,
  cdmePlaces,
  type CdmePlacesOptions,
} from "./grids.ts";
export {
  type AnswerForm,
  type CdmeEdition,
  type CdmeItem,
  cdmeItem,
  type CdmeItemName,
  type CdmeLanguage,
  readAnswerForm,
} from "./items.ts";
export { CDME_NEEDLES } from "./needles.ts";
