/**
 * A code of queue members with `*` or `#` takes whatever digits follow, since no number outside
 * begins so. One of digits only takes the numbers of queues and nothing else (contract 27.19).
 */
export const isForAnyDigits = (code: string): boolean => !/^\d+$/.test(code);
