import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { openSql } from '../../../store/sql/open.ts';
import { wallMs } from '../../../store/sql/wall-ms.ts';
import { readOutcomes } from '../ivr-menu/menu-stats.ts';
import { createQueueDays } from './queue-days.ts';

test('statistics of queues and menus are read through an index, however many call records there are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-queue-days-'));
  const { db, close } = await openSql({ file: join(folder, 'pbxcore.sqlite') });
  try {
    const plans: string[] = [];
    const legs = {
      async rows<T>(query: CompiledQuery): Promise<T[]> {
        const explained = { ...query, sql: `explain query plan ${query.sql}` };
        const { rows } = await db.executeQuery<{ detail: string }>(explained);
        plans.push(rows.map(({ detail }) => detail).join('\n'));
        return [];
      },
      startOf: (column: string) => sql.raw<number>(wallMs('sqlite', column)),
    };
    await createQueueDays({ db, legs, clock: { now: () => 1_777_000_000_000 }, timezone: 'UTC' })();
    await readOutcomes(db, legs, '700', { from: 0, to: 1_777_000_000_000 });
    expect(plans).toHaveLength(3);
    expect(plans[0]).toMatch(
      /^SEARCH cdr_general USING INDEX cdr_general_stays \(appname=\? AND <expr>>\?\)/,
    );
    expect(plans[1]).toMatch(/^SEARCH stay USING INDEX cdr_general_stays \(appname=\? AND <expr>>\?\)/);
    expect(plans[2]).toMatch(
      /^SEARCH cdr_general USING INDEX cdr_general_stays \(appname=\? AND <expr>>\? AND <expr><\?\)/,
    );
    expect(plans.join('\n')).not.toMatch(/^SCAN/m);
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
});
