import { createHash } from 'node:crypto';
import { objectName } from '../config/encode.ts';

/**
 * The context with the rules of one provider, by the hash of the endpoint's name: names may be too long for a context,
 * and cannot be extensions, in which the engine ignores `-`.
 */
export const providerContext = (id: string): string => `provider-${hash(id)}`;

/** A provider as an extension: independent of other providers, since a call may look it up later (contract C10). */
export const providerKey = (id: string): string => hash(id).slice(0, 12);

const hash = (text: string): string => createHash('md5').update(text).digest('hex');

/** One extension and its steps, each an application of the dialplan. */
export const exten = (number: string, ...steps: readonly string[]): string =>
  steps.map((step, at) => (at === 0 ? `exten => ${number},1,${step}\n` : ` same => n,${step}\n`)).join('');

export const context = (name: string, ...extensions: readonly string[]): string =>
  `[${objectName(name)}]\n${extensions.join('')}\n`;

/** Text that the dialplan carries but never interprets: everything except letters, digits, `_`, `.` and `-` as %XX. */
export const carried = (text: string): string =>
  [...Buffer.from(text.toWellFormed())]
    .map((byte) => {
      const sign = String.fromCharCode(byte);
      return /[\w.-]/.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
