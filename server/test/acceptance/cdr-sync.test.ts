import { randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createDeletions } from '../../src/features/telephony/cdr/deletions.ts';
import { openSql } from '../../src/store/sql/open.ts';
import { createOutsider } from '../outsider.ts';
import { sqliteFile } from '../real/database-tools.ts';
import { connectPostgres } from '../real/postgres.ts';
import { insertLegs, leg } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

type Held = ReturnType<typeof useApp>;

/** A client whose only knowledge is the answers it received. */
function createFollower(held: Held, { grouped }: { grouped: boolean }) {
  const legs = new Map<number, string>();
  let position = 0;
  let cursor = 0;

  async function read(limit: number): Promise<boolean> {
    const query = `/cdr?idFrom=${position}&limit=${limit}&grouped=${grouped}`;
    const { records, pagination } = (await held.asAdmin('GET', query)).body.data;
    const shown = grouped ? records.flatMap((call: { records: object[] }) => call.records) : records;
    for (const { id, linkedid } of shown) legs.set(id, linkedid);
    expect(pagination.lastId).toBeGreaterThanOrEqual(position);
    position = pagination.lastId;
    return records.length > 0;
  }

  return {
    legs,
    get position() {
      return position;
    },
    async follow(limit = 2): Promise<void> {
      while (await read(limit)) {
        // until a page is empty
      }
    },
    async followDeletions(limit = 2): Promise<string[]> {
      const calls = new Set<string>();
      for (let hasMore = true; hasMore; ) {
        const { data } = (await held.asAdmin('GET', `/cdr?deletedSince=${cursor}&limit=${limit}`)).body;
        for (const id of data.deleted.legs) legs.delete(id);
        for (const linkedid of data.deleted.calls) calls.add(linkedid);
        ({ cursor, hasMore } = data.deleted);
      }
      return [...calls].sort();
    },
  };
}

describe.each(availablePairs)('on $name', ({ open, name }) => {
  const held = useApp(open);
  const get = (path: string) => held.asAdmin('GET', path);
  const sql = (...statements: string[]) => createOutsider(held.stores).sql(...statements);
  const stored = async () =>
    new Map(
      (await sql('select id, linkedid from cdr_general order by id')).map((row) => [
        Number(row.id),
        String(row.linkedid),
      ]),
    );

  test('with idFrom alone the oldest calls come first, and lastId repeats idFrom when nothing is new', async () => {
    expect((await get('/cdr?idFrom=0')).body.data.pagination.lastId).toBe(0);
    expect((await get('/cdr')).body.data.pagination.lastId).toBeNull();
    await insertLegs(held.stores, ...['a', 'b', 'c'].map((call) => leg({ linkedid: call })));
    const calls = async (query: string) =>
      (await get(`/cdr?${query}`)).body.data.records.map((call: { linkedid: string }) => call.linkedid);
    expect(await calls('idFrom=0&limit=2')).toEqual(['a', 'b']);
    expect(await calls('idFrom=0&limit=2&grouped=false')).toEqual(['a', 'b']);
    expect(await calls('idFrom=0&sort=nonsense')).toEqual(['a', 'b', 'c']);
    expect(await calls('idFrom=0&order=DESC')).toEqual(['c', 'b', 'a']);
    expect(await calls('idFrom=0&sort=id')).toEqual(['c', 'b', 'a']);
    expect(await calls('limit=2')).toEqual(['c', 'b']);
    for (const query of ['idFrom=3', 'idFrom=3&grouped=false', 'idFrom=3&disposition=nonsense'])
      expect((await get(`/cdr?${query}`)).body.data.pagination.lastId).toBe(3);
    expect((await get('/cdr?idFrom=99')).body.data.pagination.lastId).toBe(99);
  });

  test.each([true, false])('a client that follows lastId has every leg (grouped %s)', async (grouped) => {
    const follower = createFollower(held, { grouped });
    await follower.follow();
    for (let round = 0; round < 3; round++) {
      const interleaved = ['x', 'y', 'z', 'x', 'v', 'y', 'w', 'x'];
      await insertLegs(held.stores, ...interleaved.map((call) => leg({ linkedid: `${call}-${grouped}` })));
      await follower.follow(round + 1);
      expect(follower.legs).toEqual(await stored());
    }
  });

  test('deletions can be followed, whoever deletes, and so can a leg that changes its call', async () => {
    const follower = createFollower(held, { grouped: false });
    await follower.followDeletions();
    await insertLegs(
      held.stores,
      ...['d1', 'd1', 'd2', 'd3', 'd3', 'd4', 'd5'].map((call) => leg({ linkedid: call })),
    );
    await follower.follow();
    const idsOf = async (call: string) =>
      (await sql(`select id from cdr_general where linkedid = '${call}' order by id`)).map(({ id }) =>
        Number(id),
      );
    expect(await follower.followDeletions()).toEqual([]);
    await held.asAdmin('DELETE', `/cdr/${(await idsOf('d1'))[0]}`);
    expect(await follower.followDeletions()).toEqual([]);
    await held.asAdmin('DELETE', '/cdr/d2');
    await sql(`delete from cdr_general where linkedid in ('d1', 'd4')`);
    expect(await follower.followDeletions()).toEqual(['d1', 'd2', 'd4']);
    expect(follower.legs).toEqual(await stored());
    const [moved] = await idsOf('d5');
    await sql(`update cdr_general set linkedid = 'd6' where linkedid = 'd5'`);
    expect(await follower.followDeletions()).toEqual(['d5']);
    expect(await idsOf('d6')).toEqual([moved]);
    const [first, second] = await idsOf('d3');
    const replaced = `into cdr_general (id, linkedid) values (${first}, 'd7'), (${second}, 'd7')`;
    await sql(
      held.stores.postgres
        ? `insert ${replaced} on conflict (id) do update set linkedid = excluded.linkedid`
        : `insert or replace ${replaced}`,
    );
    expect(await follower.followDeletions()).toEqual(['d3']);
    await sql('update cdr_general set id = 900000 where id = (select max(id) from cdr_general)');
    await follower.followDeletions();
    await sql(held.stores.postgres ? 'truncate cdr_general' : 'delete from cdr_general');
    expect(await follower.followDeletions(100)).toContain('d7');
    expect(follower.legs).toEqual(new Map());
    expect((await get('/cdr?deletedSince=x')).status).toBe(400);
  });

  test('a linkedid that is stored again is not listed as a deleted call', async () => {
    await insertLegs(held.stores, leg({ linkedid: 'back.1' }));
    const cursor = async (from: number) =>
      (await get(`/cdr?deletedSince=${from}&limit=100`)).body.data.deleted;
    let { cursor: from, hasMore } = await cursor(0);
    while (hasMore) ({ cursor: from, hasMore } = await cursor(from));
    await held.asAdmin('DELETE', '/cdr/back.1');
    await insertLegs(held.stores, leg({ linkedid: 'back.1' }));
    const deleted = await cursor(from);
    expect(deleted).toMatchObject({ calls: [], hasMore: false });
    expect(deleted.legs).toHaveLength(1);
  });

  test('deletions are forgotten after 90 days, and a request from before that gets a warning', async () => {
    const { stores } = held;
    const place = stores.postgres
      ? { url: stores.settings.PBXCORE_DATABASE_URL }
      : { file: sqliteFile(stores) };
    await insertLegs(stores, leg({ linkedid: 'kept.1' }), leg({ linkedid: 'kept.2' }));
    const own = await openSql(place);
    const { forgetOld, since } = createDeletions({ ...own, settled: async () => undefined });
    try {
      await sql(`delete from cdr_general where linkedid = 'kept.1'`);
      await sql('update cdr_deletions set deleted_at = deleted_at - 7862400000');
      const before = (await sql('select max(position) as position from cdr_deletions'))[0]?.position;
      await sql(`delete from cdr_general where linkedid = 'kept.2'`);
      await forgetOld();
      expect((await since(0, 100)).calls).toEqual(['kept.2']);
      await forgetOld();
      const warnings = async (from: number) => (await get(`/cdr?deletedSince=${from}`)).body.messages.warning;
      expect(await warnings(0)).toEqual([]);
      expect(await warnings(Number(before) - 1)).toHaveLength(1);
      expect(await warnings(Number(before))).toEqual([]);
    } finally {
      await own.close();
    }
  });

  describe.skipIf(name.startsWith('SQLite'))('transactions that are still open', () => {
    const connect = () => connectPostgres(held.stores.settings.PBXCORE_DATABASE_URL as string);
    const insert = (call: string) =>
      `insert into cdr_general (linkedid, start) values ('${call}', '2026-05-04 09:00:00')`;

    test('a leg that is committed later than a leg with a higher id is not skipped', async () => {
      const [first, second] = [await connect(), await connect()];
      const followers = [true, false].map((grouped) => createFollower(held, { grouped }));
      const all = async () => {
        for (const follower of followers) await follower.follow();
        return followers.map(({ legs }) => [...legs.values()].filter((call) => call.startsWith('open')));
      };
      try {
        await all();
        // The transaction that began first takes the higher id, then the other way round.
        for (const [early, late] of [
          [first, second],
          [second, first],
        ] as const) {
          const known = (await all())[0]!.length;
          await early.query(
            'begin; create temp table if not exists mine (id integer); insert into mine values (1)',
          );
          await late.query(`begin; ${insert('open.1')}`);
          await early.query(`${insert('open.2')}; commit`);
          expect((await all()).map((calls) => calls.length)).toEqual([known, known]);
          const { text } = await get(`/cdr:export?format=ndjson&idFrom=${followers[0]!.position}`);
          expect(text).toBe('');
          await late.query('commit');
          expect((await all()).map((calls) => calls.length)).toEqual([known + 2, known + 2]);
        }
        // Transactions that write other tables or were rolled back delay nobody.
        await first.query('begin; insert into mine values (2)');
        await second.query(`begin; ${insert('open.3')}; rollback; ${insert('open.4')}`);
        expect((await all())[0]!.at(-1)).toBe('open.4');
        await first.query('rollback');
      } finally {
        await Promise.all([first.end(), second.end()]);
      }
    });

    test('a transaction takes one lock, however much it inserts, and none for what it rolls back', async () => {
      const client = await connect();
      const locks = async () =>
        (
          await client.query(`select count(*)::integer as n from pg_locks
            where locktype = 'advisory' and mode = 'ShareLock' and pid = pg_backend_pid()`)
        ).rows[0].n;
      try {
        await client.query(`begin; savepoint before; ${insert('lock.1')}; rollback to before`);
        expect(await locks()).toBe(0);
        for (let n = 0; n < 20; n++) await client.query(insert(`lock.${n}`));
        expect(await locks()).toBe(1);
        await client.query(`delete from cdr_general where linkedid like 'lock.%'`);
        expect(await locks()).toBe(2);
        await client.query('rollback');
        expect(await locks()).toBe(0);
      } finally {
        await client.end();
      }
    });

    test('a deletion that is committed later than another is not skipped', async () => {
      const [first, second] = [await connect(), await connect()];
      const follower = createFollower(held, { grouped: false });
      try {
        await insertLegs(held.stores, leg({ linkedid: 'gone.1' }), leg({ linkedid: 'gone.2' }));
        await follower.followDeletions(100);
        await first.query(`begin; delete from cdr_general where linkedid = 'gone.1'`);
        await second.query(`delete from cdr_general where linkedid = 'gone.2'`);
        expect(await follower.followDeletions()).toEqual([]);
        await first.query('commit');
        expect(await follower.followDeletions()).toEqual(['gone.1', 'gone.2']);
      } finally {
        await Promise.all([first.end(), second.end()]);
      }
    });

    test('no leg is missed while many writers commit and roll back transactions at once', async () => {
      const followers = [true, false].map((grouped) => createFollower(held, { grouped }));
      let writing = 4;
      const write = async (writer: number) => {
        const client = await connect();
        for (let n = 0; n < 25; n++) {
          await client.query('begin');
          for (let legs = randomInt(1, 4); legs > 0; legs--)
            await client.query(insert(`many.${randomInt(40)}.${writer}`));
          await client.query(randomInt(8) === 0 ? 'rollback' : 'commit');
        }
        await client.end();
        writing--;
      };
      const writers = Promise.all(Array.from({ length: writing }, (_, writer) => write(writer)));
      while (writing > 0) for (const follower of followers) await follower.follow(5);
      await writers;
      for (const follower of followers) {
        await follower.follow(100);
        expect(follower.legs).toEqual(await stored());
      }
      console.log(`${followers[0]!.legs.size} legs of 4 writers at once followed without a gap`);
    });
  });
});
