/**
 * Encodes user input for the engine's configuration files. Whatever goes in, exactly one value comes out: it never adds
 * a line, a key or a section. `encode.test.ts` proves it by parsing everything back.
 */

/** The engine reads at most 8 kB per line and takes the rest for the next line. */
const MAX_BYTES = 4000;
const KEY = /^[a-z0-9][a-z0-9_@-]*$/i;
/** The engine cuts section names at 79 bytes. */
const OBJECT_NAME = /^[A-Za-z0-9_+.-]{1,79}$/;
/** Suffix of a name that is valid in one domain only. */
const DOMAIN = /@[a-z-]{1,30}$/;

/** Most values: nothing to encode, nothing to trim. A shortcut, since every change writes thousands of accounts. */
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

/** A value after `key =`, with semicolons escaped: they would begin a comment. */
export const configValue = (text: string): string =>
  HARMLESS.test(text) ? text : plainText(text).replaceAll(';', '\\;');

/** `key = value`. The space protects a value that begins with `>`: the engine reads `=>` as one operator. */
function configLine(key: string, value: string | number): string {
  if (!KEY.test(key)) throw new Error(`no key of a configuration file: ${JSON.stringify(key)}`);
  return `${key} = ${configValue(String(value))}`;
}

/** Section names are our own or validated: letters, digits, `_`, `+`, `.`, `-`. Anything else is a defect of ours. */
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

/** The value of a channel variable: the engine decodes `\xHH` in it and takes at most 511 bytes. */
export const channelText = (text: string): string =>
  plainText(text, 511).replace(/[\\;"]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`);

/** User part of a SIP address: all but harmless characters are percent-encoded. */
export const uriUser = (text: string): string =>
  encodeURIComponent(plainText(text, 255))
    .replaceAll('%2B', '+')
    .replace(/['()*!~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/**
 * Text as an argument of a dialplan application: nothing in it is evaluated, separates arguments, or ends the line.
 * Characters with a meaning there are left out, because the engine has no escape for them that works everywhere.
 */
export const dialplanText = (text: string): string =>
  plainText(text, 1000)
    .replace(/[$`"'\\;,(){}[\]<>|&]/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();

/** What can be dialled: digits, `+`, `*`, `#`. Everything else is left out. */
export const dialable = (text: string): string => text.replace(/[^0-9+*#]/g, '').slice(0, 80);
