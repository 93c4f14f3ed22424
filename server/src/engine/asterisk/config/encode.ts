/**
 * Values of users on their way into configuration files of the engine. Whatever goes in, what comes out is one value:
 * it never adds a line, a key or a section. `encode.test.ts` proves it by parsing everything back.
 */

/** The engine reads lines of 8 kB and takes the rest of a longer one for the next line. */
const MAX_BYTES = 4000;
const KEY = /^[a-z0-9][a-z0-9_@-]*$/i;
/** The engine cuts names of sections at 79 bytes. */
const OBJECT_NAME = /^[A-Za-z0-9_+.-]{1,79}$/;
/** Of a name that counts in one domain only. */
const DOMAIN = /@[a-z-]{1,30}$/;

/** Most values: nothing to encode, nothing to trim. Thousands of accounts are written at every change. */
const HARMLESS = /^(?:[!-:<-~](?:[ -:<-~]{0,200}[!-:<-~])?)?$/;

/** One line of text: control characters become spaces, ends are trimmed (the engine trims them anyway). */
export function plainText(text: string, maxBytes = MAX_BYTES): string {
  const flat = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim();
  if (Buffer.byteLength(flat) <= maxBytes) return flat;
  // A character cut in two at the end is dropped whole.
  return Buffer.from(flat).subarray(0, maxBytes).toString().replace(/�+$/u, '').trimEnd();
}

/** A value behind `key =`: a semicolon would begin a comment. */
export const configValue = (text: string): string =>
  HARMLESS.test(text) ? text : plainText(text).replaceAll(';', '\\;');

/** `key = value`. The blank keeps a value that begins with `>` whole (`=>` is one sign to the engine). */
function configLine(key: string, value: string | number): string {
  if (!KEY.test(key)) throw new Error(`no key of a configuration file: ${JSON.stringify(key)}`);
  return `${key} = ${configValue(String(value))}`;
}

/** Names of sections are ours, or were validated: letters, digits, `_`, `+`, `.`, `-`. Anything else is a defect of ours. */
export const isObjectName = (name: string): boolean => OBJECT_NAME.test(name);

export function objectName(name: string): string {
  if (!isObjectName(name.replace(DOMAIN, '')))
    throw new Error(`no name of a section: ${JSON.stringify(name.slice(0, 100))}`);
  return name;
}

export type Setting = readonly [key: string, value: string | number];

/** A section with its lines. */
export function configSection(name: string, settings: Iterable<Setting>): string {
  let text = `[${objectName(name)}]\n`;
  for (const [key, value] of settings) text += `${configLine(key, value)}\n`;
  return `${text}\n`;
}

/** The value of a variable of a channel: the engine reads `\xHH` in it, and 511 bytes at most. */
export const channelText = (text: string): string =>
  plainText(text, 511).replace(/[\\;"]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`);

/** User part of a SIP address: everything but the harmless is percent-encoded. */
export const uriUser = (text: string): string =>
  encodeURIComponent(plainText(text, 255))
    .replaceAll('%2B', '+')
    .replace(/['()*!~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/**
 * Text as an argument of a dialplan application: nothing in it is evaluated, separates arguments, or ends the line.
 * The signs with a meaning there are left out, because the engine has no way to write them in every place.
 */
export const dialplanText = (text: string): string =>
  plainText(text, 1000)
    .replace(/[$`"'\\;,(){}[\]<>|&]/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();

/** What can be dialled: digits, `+`, `*`, `#`. Everything else is left out. */
export const dialable = (text: string): string => text.replace(/[^0-9+*#]/g, '').slice(0, 80);
