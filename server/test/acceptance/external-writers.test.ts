import { createClient } from '@redis/client';
import { describe, expect, test } from 'vitest';
import { brief, useFirewall, valuesOf } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';

describe.each(storePairs)(
  'contract 11: other tools write while the service runs, on $name',
  (pair: StorePair) => {
    const firewall = useFirewall(pair);
    const { poll, outsider } = { poll: firewall.poll, outsider: () => firewall.outsider };
    const rule = test.skipIf(!pair.available);
    const redisRule = test.skipIf(!pair.available || !pair.name.includes('Redis'));

    redisRule(
      'each of 200 bans written to Redis, and each removal, is in the poll that begins after it',
      async () => {
        const client = await createClient({ url: firewall.stores.redis?.url as string }).connect();
        try {
          for (let i = 0; i < 200; i++) {
            const key = `firewall:sip:198.18.0.${i}`;
            await client.sendCommand(['SET', key, '1', 'EX', '600']);
            expect(valuesOf((await poll()).new), `write ${i}`).toEqual([`198.18.0.${i}`]);
            await client.sendCommand(['DEL', key]);
            expect(await poll(), `removal ${i}`).toMatchObject({
              new: [],
              deleted: [{ value: `198.18.0.${i}` }],
            });
          }
        } finally {
          client.destroy();
        }
      },
    );

    redisRule(
      'a ban renewed, shortened or made endless by another tool has its new duration in the next poll',
      async () => {
        await firewall.ban('203.0.113.7', 600);
        const duration = async () => brief((await poll()).new);
        expect(await duration()).toEqual(['203.0.113.7 sip 600s']);
        await outsider().redis('EXPIRE', 'firewall:sip:203.0.113.7', '900');
        expect(await duration()).toEqual(['203.0.113.7 sip 900s']);
        await outsider().redis('EXPIRE', 'firewall:sip:203.0.113.7', '30');
        expect(await duration()).toEqual(['203.0.113.7 sip 30s']);
        await outsider().redis('PERSIST', 'firewall:sip:203.0.113.7');
        expect(await duration()).toEqual(['203.0.113.7 sip 596h']);
        await outsider().redis('RENAME', 'firewall:sip:203.0.113.7', 'firewall:http:203.0.113.8');
        const told = await poll();
        expect([brief(told.new), valuesOf(told.deleted)]).toEqual([
          ['203.0.113.8 http 596h'],
          ['203.0.113.7'],
        ]);
      },
    );

    redisRule('many keys written or flushed at once are all told, or all told gone', async () => {
      const keys = Array.from({ length: 5000 }, (_, i) => `firewall:sip:198.18.${i >> 8}.${i & 255}`);
      await outsider().redis('MSET', ...keys.flatMap((key) => [key, '1']));
      expect((await poll()).new).toHaveLength(5000);
      await outsider().redis('DEL', ...keys.slice(0, 2000));
      expect(await poll()).toMatchObject({ new: { length: 3000 }, deleted: { length: 2000 } });
      const cursor = `pbxcore:fwbouncer:cursor:${firewall.keyId}`;
      expect(await outsider().redis('EXISTS', cursor), 'the documented name').toBe(1);
      await outsider().redis('FLUSHALL');
      expect(await poll(), 'the cursor went too').toMatchObject({ new: [], deleted: [] });
    });

    redisRule('a FLUSHALL on the heels of writes leaves nothing behind in the export', async () => {
      const client = await createClient({ url: firewall.stores.redis?.url as string }).connect();
      try {
        for (let i = 0; i < 50; i++) {
          const writes = Array.from({ length: 20 }, (_, n) =>
            client.sendCommand(['SET', `firewall:sip:198.18.${i}.${n}`, '1', 'EX', '600']),
          );
          await writes[i % 20];
          await Promise.all([...writes, client.sendCommand(['FLUSHALL'])]);
          expect(valuesOf((await poll()).new), `round ${i}`).toEqual([]);
        }
      } finally {
        client.destroy();
      }
    });

    redisRule('a cursor that is no cursor counts as none', async () => {
      const cursor = `pbxcore:fwbouncer:cursor:${firewall.keyId}`;
      await firewall.ban('203.0.113.7', 600);
      for (const spoil of [
        ['SET', cursor, '{"not":"ours"}'],
        ['LPUSH', cursor, 'x'],
        ['HSET', cursor, 'order', 'abc', 'id', 'x', 'body', 'x'],
        ['HSET', cursor, 'order', '1', 'id', 'x', 'body', 'broken'],
      ]) {
        await poll();
        await outsider().redis('DEL', cursor);
        await outsider().redis(...spoil);
        expect(await poll(), spoil.join(' ')).toMatchObject({ new: [{ value: '203.0.113.7' }], deleted: [] });
      }
      await firewall.lift('203.0.113.7');
      expect(await poll(), 'and is replaced by a good one').toMatchObject({ new: [], deleted: [{}] });
    });

    redisRule('redis_prefix is the first part of a cursor’s name', async () => {
      await firewall.restartWith({ PBXCORE_REDIS_PREFIX: 'site-a' });
      await poll();
      const ttl = Number(await outsider().redis('TTL', `site-a:fwbouncer:cursor:${firewall.keyId}`));
      expect(ttl).toBeGreaterThan(3500);
      expect(ttl).toBeLessThanOrEqual(3600);
    });

    rule('a deny row added, edited or deleted in SQL is in the next poll', async () => {
      await poll();
      const id = await firewall.insertFilter({ deny: '203.0.113.7' });
      expect(brief((await poll()).new)).toEqual(['203.0.113.7 manual 596h']);
      await outsider().sql(`update "m_NetworkFilters" set deny = '203.0.113.8;203.0.113.9' where id = ${id}`);
      const edited = await poll();
      expect([valuesOf(edited.new), valuesOf(edited.deleted)]).toEqual([
        ['203.0.113.8', '203.0.113.9'],
        ['203.0.113.7'],
      ]);
      await outsider().sql(`delete from "m_NetworkFilters" where id = ${id}`);
      expect(await poll()).toMatchObject({ new: [], deleted: [{}, {}] });
    });

    rule('allow-list edits in SQL are told at once', async () => {
      expect(await firewall.whitelist()).toEqual([]);
      const id = await firewall.insertFilter({ permit: '192.0.2.0/24', newer_block_ip: '1' });
      await outsider().sql(`update "m_Fail2BanRules" set whitelist = '198.51.100.1' where id = 1`);
      expect(await firewall.whitelist()).toEqual(['192.0.2.0/24', '198.51.100.1']);
      await outsider().sql(
        `update "m_NetworkFilters" set newer_block_ip = '0' where id = ${id}`,
        `update "m_Fail2BanRules" set whitelist = null where id = 1`,
      );
      expect(await firewall.whitelist()).toEqual([]);
    });

    rule('ids that another tool chose are not given out again', async () => {
      await outsider().sql(`insert into "m_NetworkFilters" (id, permit) values (5000, '192.0.2.0/24')`);
      expect(Number(await firewall.deny(''))).toBeGreaterThan(5000);
      expect(await firewall.done('GET', '/firewall/5000')).toMatchObject({
        permit: '192.0.2.0/24',
        deny: '',
      });
    });

    rule('what the service writes is what other tools expect: text columns, flags 0 and 1', async () => {
      const id = await firewall.deny('203.0.113.7', {
        newer_block_ip: true,
        priority: 3,
        description: "O'Hara",
      });
      const [row] = await outsider().sql(`select * from "m_NetworkFilters" where id = ${id}`);
      expect({ ...row }).toEqual({
        id: Number(id),
        permit: '10.99.0.0/16',
        deny: '203.0.113.7',
        newer_block_ip: '1',
        local_network: '0',
        description: "O'Hara",
        priority: '3',
      });
      await firewall.done('PATCH', '/fail2ban', { maxretry: 3, whitelist: '192.0.2.1' });
      const [rules] = await outsider().sql('select * from "m_Fail2BanRules"');
      expect({ ...rules }).toEqual({
        id: 1,
        maxretry: 3,
        bantime: 600,
        findtime: 600,
        whitelist: '192.0.2.1',
      });
    });

    rule('bans, deny lists and cursors outlive the service', async () => {
      await firewall.ban('203.0.113.7', 600);
      await firewall.ban('203.0.113.8', 600);
      await firewall.deny('198.51.100.0/24');
      await poll();
      await firewall.app.restart();
      // Without durations, because Redis counts down while the service starts.
      expect(valuesOf((await poll()).new)).toEqual(['198.51.100.0/24', '203.0.113.7', '203.0.113.8']);
      await firewall.app.restart();
      await firewall.lift('203.0.113.7');
      const told = await poll();
      expect([told.new.length, valuesOf(told.deleted)]).toEqual([2, ['203.0.113.7']]);
    });
  },
);
