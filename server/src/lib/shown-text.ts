/** A stranger's text, made fit to store and show: one line, no control characters, at most `max` long. */
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
