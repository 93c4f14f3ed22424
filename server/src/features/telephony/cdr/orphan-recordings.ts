import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';

const DAY_MS = 86_400_000;
/** Younger ones may belong to calls under way, or to records that wait for the database. */
const SETTLED_MS = 3_600_000;
const AT_ONCE = 500;
/** Named by the engine: by hour, then leg. Those of a transfer end with `t`, in earlier versions without a number. */
const FILE = /^\d\d\/([\w.-]+)-(?:\d+t?|t)\.wav$/;

interface Looking {
  readonly db: Kysely<Database>;
  readonly recordingsDir: string;
  readonly now: number;
  /** How far back. */
  readonly days: number;
}

/** Recordings of the last days without a call record, oldest first: none was written, or it was removed by hand. */
export async function findOrphanRecordings({ db, recordingsDir, now, days }: Looking): Promise<string[]> {
  const orphans: string[] = [];
  // A day more on each side: folders are named by the clock of another zone.
  for (let back = days; back >= -1; back--) {
    const day = new Date(now - back * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '/');
    const files = (await filesIn(join(recordingsDir, day))).filter((name) => FILE.test(name)).sort();
    for (let at = 0; at < files.length; at += AT_ONCE) {
      const some = files.slice(at, at + AT_ONCE).map((name) => `${day}/${name}`);
      for (const file of await unnamed(db, some)) {
        const found = await stat(join(recordingsDir, file)).catch(() => undefined);
        if (found && now - found.mtimeMs > SETTLED_MS) orphans.push(file);
      }
    }
  }
  return orphans;
}

const filesIn = (dir: string): Promise<string[]> => readdir(dir, { recursive: true }).catch(() => []);

/** Most are found by the call id in their name, which is indexed; after a transfer it is another one. */
async function unnamed(db: Kysely<Database>, files: readonly string[]): Promise<string[]> {
  const calls = files.map((file) => FILE.exec(file.slice('YYYY/MM/DD/'.length))?.[1] ?? '');
  const legs = db.selectFrom('cdr_general').select('recordingfile');
  const known = new Set(
    (await legs.where('linkedid', 'in', calls).execute()).map(({ recordingfile }) => recordingfile),
  );
  const left = files.filter((file) => !known.has(file));
  if (left.length === 0) return [];
  const others = await legs.where('recordingfile', 'in', left).execute();
  for (const { recordingfile } of others) known.add(recordingfile);
  return left.filter((file) => !known.has(file));
}
