import type { LegacyResult } from '@pbxcore/module/description';
import type { Special } from '../line/protocol.ts';
import { texts } from '../line/texts.ts';

/** A marked answer of generation 3. */
export function specialOf(result: unknown): Special | undefined {
  const marked = result as { $pbxcore?: unknown } | null | undefined;
  return marked?.$pbxcore === 'answer' ? readSpecial(marked as LegacyResult) : undefined;
}

interface LegacyOutcome {
  readonly data: unknown;
  readonly special?: Special | undefined;
  readonly failure?: readonly string[];
  readonly info: readonly string[];
  readonly warning: readonly string[];
}

/** A result of `undefined` means that there is no such action (contract 9.3). */
export function legacyResult(result: unknown): LegacyOutcome {
  const nothing = { info: [], warning: [] };
  if (result === undefined) return { data: undefined, ...nothing };
  if (typeof result !== 'object' || result === null || Array.isArray(result))
    return { data: result ?? {}, ...nothing };
  const given = result as LegacyResult & Record<string, unknown>;
  const special = readSpecial(given);
  if (special) return { data: {}, special, ...nothing };
  const verdict = given.success ?? given.result;
  if (typeof verdict !== 'boolean') return { data: result, ...nothing };
  const messages = given.messages ?? {};
  const said = { info: texts(messages.info), warning: texts(messages.warning) };
  if (!verdict) return { data: {}, failure: texts(messages.error), ...said };
  return { data: given.data ?? {}, ...said };
}

function readSpecial(given: LegacyResult): Special | undefined {
  const { fpassthru, echo_file, redirect, html, echo, headers } = given;
  if (fpassthru !== undefined) {
    const file = typeof fpassthru === 'string' ? { filename: fpassthru } : fpassthru;
    const { filename, content_type, download_name } = file ?? {};
    return {
      file: String(filename),
      download: String(download_name ?? String(filename).split('/').at(-1)),
      ...(content_type !== undefined && { type: String(content_type) }),
    };
  }
  if (echo_file !== undefined) return { file: String(echo_file) };
  if (redirect !== undefined) return { redirect: String(redirect) };
  if (html !== undefined) return { text: String(html), type: 'text/html; charset=utf-8' };
  if (echo !== undefined) {
    const pairs = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
    return { text: String(echo), headers: Object.fromEntries(pairs) as Record<string, string> };
  }
  return undefined;
}
