import { ATTRIBUTES, type AttributeSection } from './attribute-values.ts';
import type { Setting } from './encode.ts';

interface ManualAttributes {
  readonly settings: Readonly<Record<AttributeSection, readonly Setting[]>>;
  /** Lines that do not reach the engine, and why. */
  readonly unused: readonly { readonly line: string; readonly reason: string }[];
}

const MAX_SHOWN = 100;
const EMPTY: ManualAttributes = { settings: { endpoint: [], aor: [], auth: [] }, unused: [] };

/**
 * Lines `key=value`, for the endpoint unless they are under `[endpoint]`, `[aor]` or `[auth]`. They are stored as sent;
 * only harmless keys with values that the engine accepts reach it.
 */
export function readManualAttributes(text: string): ManualAttributes {
  if (text.trim() === '') return EMPTY;
  const settings: Record<AttributeSection, Setting[]> = { endpoint: [], aor: [], auth: [] };
  const unused: { line: string; reason: string }[] = [];
  /** `undefined` = under an unknown heading. */
  let section: AttributeSection | undefined = 'endpoint';

  for (const line of text.split(/\r\n|[\r\n\u2028\u2029]/).map((part) => part.trim())) {
    const leave = (reason: string) => unused.push({ line: line.slice(0, MAX_SHOWN), reason });
    if (line === '') continue;
    const heading = /^\[\s*([^\]]*?)\s*\]$/.exec(line)?.[1]?.toLowerCase();
    if (heading !== undefined) {
      section = Object.hasOwn(ATTRIBUTES, heading) ? (heading as AttributeSection) : undefined;
      if (!section) leave('only [endpoint], [aor] and [auth] are known');
      continue;
    }
    const match = /^([A-Za-z0-9_]+)\s*=>?\s*(.*)$/.exec(line);
    if (!match) {
      leave('not a key=value line');
      continue;
    }
    const key = (match[1] as string).toLowerCase();
    const value = (match[2] as string).trim();
    const reads = section && ATTRIBUTES[section].get(key);
    if (!section) leave('under an unknown heading');
    else if (!reads) leave(`${key} cannot be set here`);
    else if (!reads(value)) leave(`not a value of ${key}`);
    else settings[section].push([key, value]);
  }
  return { settings, unused };
}

/** One warning per line that does not reach the engine, in words for the operator. */
export const unusedAttributes = (text: string): string[] =>
  readManualAttributes(text).unused.map(
    ({ line, reason }) => `not used: ${JSON.stringify(line)} (${reason})`,
  );

/** Our settings, except for those that the operator set by hand. */
export function withManual(own: readonly Setting[], manual: readonly Setting[]): readonly Setting[] {
  if (manual.length === 0) return own;
  const replaced = new Set(manual.map(([key]) => key));
  return [...own.filter(([key]) => !replaced.has(key)), ...manual];
}
