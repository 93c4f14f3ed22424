/**
 * The lowest free number for a queue or menu: from 6 and zeros on, then any with at least this many digits (contract
 * 20.6). One is always free: there are far fewer records than numbers of eight digits.
 */
export function proposedNumber(length: number, isFree: (number: string) => boolean): string {
  const first = 10 ** (length - 1);
  for (let number = 6 * first; number < 10 * first; number++)
    if (isFree(String(number))) return String(number);
  let number = first;
  while (!isFree(String(number))) number++;
  return String(number);
}
