/**
 * A code of queue members with `*` or `#` takes any digits that follow, since no number outside begins like that. A
 * code of digits only takes queue numbers and nothing else (contract 27.19).
 */
export const isForAnyDigits = (code: string): boolean => !/^\d+$/.test(code);
