import { open, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { type Answer, answer, empty } from '../../http/answer.ts';
import { ModuleFailed } from '../../lib/errors.ts';
import type { Special } from '../line/protocol.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.json': 'application/json; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.wav': 'audio/wav',
};
const ALLOWED_HEADERS = ['content-type', 'content-disposition', 'cache-control'];
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w."-]+)*$/;

/** A module's answer comes from our origin: without this, its page could act for anyone logged in here. */
const SANDBOX = { 'content-security-policy': 'sandbox', 'cache-control': 'no-store' };

/** How far a file is read ahead of its client, over all buffers. */
const FILE_AHEAD_BYTES = 256 * 1024;

interface From {
  readonly id: string;
  readonly folder: string;
}

/** Answers without an envelope, within the limits of contract 9.3. */
export function specialAnswer(special: Special, module: From): Answer | Promise<Answer> {
  if (special.file !== undefined) return fileOf(special, special.file, module);
  if (special.redirect !== undefined) return empty(302, { location: redirectOf(special.redirect, module) });
  const type = typeOf(special.type ?? 'text/plain; charset=utf-8', module);
  const headers = { ...SANDBOX, 'content-type': type, ...allowed(special.headers ?? {}, module) };
  return answer({ status: 200, headers, parts: [special.text ?? ''] });
}

function allowed(given: Readonly<Record<string, string>>, { id }: From): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (!ALLOWED_HEADERS.includes(lower))
      throw new ModuleFailed(`module ${id}: it may not send the header ${JSON.stringify(name.slice(0, 50))}`);
    headers[lower] = headerText(value, id);
  }
  return headers;
}

function headerText(value: string, id: string): string {
  if (/[^\x20-\x7e]/.test(value) || value.length > 1000)
    throw new ModuleFailed(`module ${id}: a header of its answer cannot be sent`);
  return value;
}

function typeOf(type: string, { id }: From): string {
  if (!MEDIA_TYPE.test(headerText(type, id)))
    throw new ModuleFailed(`module ${id}: the type of its answer cannot be sent`);
  return type;
}

/** Relative or an http(s) address; never a script. */
function redirectOf(target: string, { id }: From): string {
  const url = URL.canParse(target, 'http://here.invalid')
    ? new URL(target, 'http://here.invalid')
    : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new ModuleFailed(`module ${id}: it may not redirect there`);
  return headerText(target, id);
}

/** Files of the module's own folder only. */
async function fileOf(special: Special, name: string, module: From): Promise<Answer> {
  const { id, folder } = module;
  const refused = () => new ModuleFailed(`module ${id}: it may only send files of its own folder`);
  const path = await realpath(join(folder, name)).catch(() => '');
  if (name.includes('\0') || !path.startsWith(folder + sep)) throw refused();
  const type = typeOf(
    special.type ?? TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
    module,
  );
  const file = await open(path).catch(() => undefined);
  if (!file) throw refused();
  const facts = await file.stat();
  if (!facts.isFile()) {
    await file.close();
    throw refused();
  }
  const download = special.download?.slice(0, 200).replaceAll(/[^\w .()-]/g, '_');
  const headers = {
    ...SANDBOX,
    'content-type': type,
    'content-length': facts.size,
    ...(download && { 'content-disposition': `attachment; filename="${download}"` }),
  };
  const aheadBytes = Math.min(facts.size, FILE_AHEAD_BYTES);
  return answer({ status: 200, headers, parts: [], stream: file.createReadStream(), aheadBytes });
}
