/** A value that was found, with its place in the text and how many needles led to it. */
export interface ChainValue {
  readonly value: string;
  readonly at: number;
  readonly links: number;
}

/** How the needles of one language say which restaurant is first, what its dish is and who makes it. */
interface ChainWords {
  readonly restaurant: RegExp;
  readonly dish: RegExp;
  readonly chef: RegExp;
  /** What the form of an answer begins with where the chef is asked for, and where the dish is. */
  readonly asksChef: RegExp;
  readonly asksDish: RegExp;
}

const CHAINS: readonly ChainWords[] = [
  {
    restaurant: /意大利的佛罗伦萨有一家名为"([^"]+)"的餐馆/g,
    dish: /"([^"]+)"餐馆的特色菜肴是([^。\n]+)。/g,
    chef: /([\u4e00-\u9fff]+)是该家餐馆的[^。\n]{0,40}?大厨(\p{Script=Latin}+)制作/gu,
    asksChef: /^制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫$/,
    asksDish: /^佛罗伦萨中排行第一的餐馆的特色菜肴是$/,
  },
  {
    restaurant: /Florence in Italy has a restaurant called "([^"]+)"/g,
    dish: /The specialty of the restaurant "([^"]+)" is ([^.\n]+)\./g,
    chef: /(\p{L}[^.\n]{0,80}) is made by the restaurant's chef (\p{L}+)/gu,
    asksChef: /^The person who makes the specialty of the restaurant that ranks first in Florence is called\s*$/,
    asksDish: /^The specialty of the restaurant that ranks first in Florence is\s*$/,
  },
];

/** Follows the needles about the restaurant in Florence; `null` where the form asks for something else, or one is missing. */
export function followChain(document: string, form: string): ChainValue | null {
  const words = CHAINS.find(({ asksChef, asksDish }) => asksChef.test(form) || asksDish.test(form));
  if (!words) return null;
  const [first] = document.matchAll(words.restaurant);
  const dish = [...document.matchAll(words.dish)].find(([, restaurant]) => restaurant === first?.[1]);
  if (!dish) return null;
  if (words.asksDish.test(form)) return { value: dish[2]!, at: dish.index, links: 2 };
  const name = dish[2]!.toLowerCase();
  const chef = [...document.matchAll(words.chef)].find(([, made]) => made!.toLowerCase().endsWith(name));
  return chef ? { value: chef[2]!, at: chef.index, links: 3 } : null;
}
