/** Flags in SQL are text, `'0'` or `'1'`; other tools may have written a number (contract 11). */
export const isSet = (flag: unknown): boolean => String(flag ?? '').trim() === '1';

export const flagText = (value: boolean): '0' | '1' => (value ? '1' : '0');
