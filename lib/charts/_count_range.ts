/** Says how many samples there are behind each of several numbers, such as `n = 7 to 9`. */
export function countRange(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return `n = ${least === most ? least : `${least} to ${most}`}`;
}
