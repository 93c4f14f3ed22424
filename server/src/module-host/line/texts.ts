/** Messages beside the data are for people, who read no more of them. */
export const MAX_MESSAGES = 50;
export const MAX_MESSAGE_LENGTH = 500;

/** The entries of a list that can be shown. */
export const texts = (list: unknown): string[] =>
  Array.isArray(list)
    ? list
        .filter((text) => typeof text === 'string' && text !== '')
        .slice(0, MAX_MESSAGES)
        .map((text: string) => text.slice(0, MAX_MESSAGE_LENGTH))
    : [];
