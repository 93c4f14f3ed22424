import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stores } from '../make-app.ts';
import { createOutsider, quoted } from '../outsider.ts';

export type LegValues = Readonly<Record<string, string | number | null>>;

let calls = 0;

/** Inserts legs behind the service's back, as another tool does (contract 11). */
export async function insertLegs(stores: Stores, ...legs: readonly LegValues[]): Promise<void> {
  const names = [...new Set(legs.flatMap((leg) => Object.keys(leg)))];
  const row = (leg: LegValues) =>
    `(${names.map((name) => literal(Object.hasOwn(leg, name) ? (leg[name] as string | number | null) : '')).join(', ')})`;
  const columns = names.map((name) => `"${name}"`).join(', ');
  await createOutsider(stores).sql(`insert into cdr_general (${columns}) values ${legs.map(row).join(', ')}`);
}

const literal = (value: string | number | null): string =>
  typeof value === 'number' ? String(value) : quoted(value);

/** A leg of a call of its own, unless it says otherwise. */
export const leg = (fields: LegValues = {}): LegValues => ({
  start: '2026-05-04 09:00:00.000',
  src_num: '201',
  dst_num: '202',
  UNIQUEID: `u-${++calls}`,
  linkedid: `pbx-${calls}.1`,
  disposition: 'ANSWERED',
  duration: 10,
  billsec: 7,
  ...fields,
});

export async function writeRecording(stores: Stores, name: string, bytes = 'RIFF-0123456789'): Promise<void> {
  const folder = join(stores.settings.PBXCORE_DATA_DIR as string, 'recordings');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), bytes);
}
