import { randomBytes } from 'node:crypto';

/** Whether a text could be an id; PostgreSQL does not accept every text. */
export const isId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

export const newId = (prefix: 'IVR' | 'QUEUE'): string =>
  `${prefix}-${randomBytes(4).toString('hex').toUpperCase()}`;
