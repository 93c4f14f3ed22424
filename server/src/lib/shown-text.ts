/** What a stranger wrote, fit to be stored and shown: one line, no control characters, not longer than `max`. */
export const shownText = (text: string, max: number): string =>
  [
    ...text
      .slice(0, max * 2)
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' '),
  ]
    .slice(0, max)
    .join('')
    .trim();
