/** The lowest free number of a queue or menu: from 6 and zeros on, then any of so many digits (contract 20.6); `''` = none is free. */
export function proposedNumber(length: number, isFree: (number: string) => boolean): string {
  const first = 10 ** (length - 1);
  for (let number = 6 * first; number < 10 * first; number++)
    if (isFree(String(number))) return String(number);
  for (let number = first; number < 6 * first; number++) if (isFree(String(number))) return String(number);
  return '';
}
