/** A mobile number is the same with and without its plus (contract 20.2). */
export const bare = (number: string): string => number.replace(/^\+/, '');

/** Both ways to write a mobile number; none of nobody's. */
export const spellings = (mobile: string): string[] =>
  mobile === '' ? [] : [bare(mobile), `+${bare(mobile)}`];
