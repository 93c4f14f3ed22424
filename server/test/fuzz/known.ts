import type { Answer } from '../make-app.ts';
import { type Known, resourceOf } from './requests.ts';
import type { Json } from './values.ts';

const KEPT = 40;
/** Paths that lead to the same records as another. */
const SAME: Readonly<Record<string, string>> = { providers: 'sip-providers', 'network-filters': 'firewall' };
const poolOf = (path: string): string => SAME[resourceOf(path)] ?? resourceOf(path);

/** Remembers ids from answers, so that later requests reach existing records. */
export function createKnown({ spared }: { readonly spared: (resource: string, id: string) => boolean }) {
  const ids = new Map<string, string[]>();
  const uploads: string[] = [];
  const tokens = new Map<string, string[]>();
  const members = new Map<string, string[]>();
  const etags: string[] = [];

  function keep(list: string[], value: unknown): void {
    if ((typeof value !== 'string' && typeof value !== 'number') || list.includes(String(value))) return;
    list.push(String(value));
    if (list.length > KEPT) list.shift();
  }
  function keepId(resource: string, value: unknown): void {
    if (value === '' || spared(resource, String(value))) return;
    const list = ids.get(resource) ?? [];
    ids.set(resource, list);
    keep(list, value);
  }

  /** Takes the token from the playback URL. */
  function keepToken(resource: string, record: Json): void {
    const list = tokens.get(resource) ?? [];
    tokens.set(resource, list);
    keep(list, record?.playback_url?.split('token=')[1]);
  }

  function learn(path: string, { headers, body }: Pick<Answer, 'headers' | 'body'>): void {
    const resource = poolOf(path);
    const data: Json = body?.data;
    if (/:(copy|getDefault)$/.test(path)) return; // not stored
    keep(etags, headers.get('etag') ?? undefined);
    const records = data?.items ?? data?.records ?? data?.data ?? data;
    for (const record of Array.isArray(records) ? records.slice(0, 10) : [records]) {
      keepId(resource, record?.id);
      if (resource === 'employees') keepId('sip', record?.number);
      if (Array.isArray(record?.members))
        members.set(
          String(record.id),
          record.members.map(({ extension }: Json) => extension),
        );
      keepToken(resource, record);
      if (resource !== 'cdr') continue;
      keepId(resource, record?.linkedid);
      for (const leg of record?.records ?? []) keepToken(resource, leg);
    }
    keep(uploads, data?.upload_id);
  }

  /** To be called after a DELETE. */
  function forget({ operationPath, path }: { operationPath: string; path: string }): void {
    const list = ids.get(poolOf(operationPath));
    const at = list?.indexOf(decodeURIComponent(path.split('?')[0]?.split('/').at(-1) ?? '')) ?? -1;
    if (at >= 0) list?.splice(at, 1);
  }

  const known: Known = {
    ids: (path) => ids.get(poolOf(path)) ?? [],
    spared,
    uploads,
    tokens: (path) => tokens.get(poolOf(path)) ?? [],
    membersOf: (queueId) => members.get(queueId) ?? [],
    etags,
  };
  return { known, learn, forget };
}
