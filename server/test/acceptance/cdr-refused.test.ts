import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { eventually } from '../eventually.ts';
import { createOutsider } from '../outsider.ts';
import { activeLeg, NOON } from './active-leg.ts';
import { availablePairs, useApp } from './use-app.ts';

/** An operator's own checks, which reject some rows in either database. */
const CHECKS = {
  sqlite: [
    `create trigger no_eve before insert on cdr_general when new.src_name = 'Eve'
     begin select raise(abort, 'not Eve'); end`,
  ],
  postgres: [`alter table cdr_general add constraint no_eve check (src_name <> 'Eve')`],
};

describe.each(availablePairs)(
  'contract 5: call records that the database refuses ($name)',
  ({ name, open }) => {
    const told: string[] = [];
    const engine = { ...createFakeEngine(), legsStored: (ids: readonly string[]) => void told.push(...ids) };
    const running = useApp(open, { PBXCORE_LOG_LEVEL: 'error' }, engine);
    const isPostgres = name.includes('PostgreSQL');

    function call(id: string, name: string): void {
      engine.startLeg(activeLeg(id, { source: { channel: `PJSIP/${id}`, number: '201', name } }));
      engine.endLeg(id, { endedAt: NOON + 1000, dtmfDigits: '4711' });
      engine.endCall(id);
    }
    const stored = async () => {
      const rows = await createOutsider(running.stores).sql('select linkedid from cdr_general');
      return rows.map(({ linkedid }) => String(linkedid)).sort();
    };
    const log = async () => (await running.asAdmin('GET', '/system:getLog?lines=1000&level=error')).body.data;

    test('a record that is refused for its content is set aside, and all others are stored', async () => {
      const { sql } = createOutsider(running.stores);
      await sql(...CHECKS[isPostgres ? 'postgres' : 'sqlite']);
      const refused = new Set(['c003', 'c040', 'c041', 'c249']);
      const all = Array.from({ length: 250 }, (_, i) => `c${String(i).padStart(3, '0')}`);
      for (const id of all) call(id, refused.has(id) ? 'Eve' : 'Ann');
      const others = all.filter((id) => !refused.has(id));
      await eventually(async () => expect(await stored()).toEqual(others));
      // Later legs are stored, too.
      call('later', 'Ann');
      await eventually(async () => expect(await stored()).toEqual([...others, 'later']));
      await eventually(() =>
        expect(new Set(told), 'the engine need not tell of them again').toEqual(new Set([...all, 'later'])),
      );
    });

    test.runIf(isPostgres)('a record with a character it cannot hold is set aside', async () => {
      call('nul', 'A\0B');
      call('after', 'Ann');
      await eventually(async () => expect(await stored()).toContain('after'));
      expect(await stored()).not.toContain('nul');
    });

    test('the log names each record and the reason without its content, and a metric counts them', async () => {
      const lines = (await log()).filter(({ text }: { text: string }) => text.includes('set aside'));
      const count = isPostgres ? 5 : 4;
      expect(lines).toHaveLength(count);
      const reason = isPostgres ? 'SQLSTATE 23514' : 'SQLite 1811';
      expect(lines[0]).toMatchObject({ fields: { leg: 'c003', call: 'c003', reason } });
      expect(JSON.stringify(lines)).not.toMatch(/Eve|4711/);
      const { key } = await running.app.createKey({ full_permissions: true, allowed_paths: {} });
      const headers = { authorization: `Bearer ${key}` };
      const metrics = await (await fetch(`${running.app.origin}/metrics`, { headers })).text();
      expect(metrics).toContain(`pbxcore_call_records_refused ${count}\n`);
    });
  },
);
