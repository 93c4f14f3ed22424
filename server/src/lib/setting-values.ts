/** Uses a setting if present; `read` returns `undefined` for an unusable text. */
export type ReadSetting = <T>(
  name: string,
  fallback: T,
  read: (text: string) => T | undefined,
  problem: string,
  example: string,
) => T;

export const anyText = (text: string): string => text;

export const integerIn = (min: number, max: number) => (text: string) => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
};

export const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined);

export const oneOf =
  <const T extends string>(choices: readonly T[]) =>
  (text: string): T | undefined =>
    choices.find((choice) => choice === text);

export const urlOf =
  (...protocols: string[]) =>
  (text: string) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) && new URL(text).hostname !== ''
      ? text
      : undefined;
