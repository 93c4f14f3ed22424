import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CdrLimits } from '../../src/features/telephony/cdr/limits.ts';
import { eventually } from '../eventually.ts';
import { createOutsider } from '../outsider.ts';
import { connectSlowClient, type SlowClient } from '../slow-client.ts';
import { makeSearchesEndless, searchesUnderWay } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

/** Enough that the export exceeds the buffers between two processes. */
const LEGS = 12_000;
const EXPORT = '/cdr:export?idFrom=0';

describe.each(availablePairs)('on $name', ({ open }) => {
  /** The service with `LEGS` legs and three keys. */
  function useExports(limits: Partial<CdrLimits>) {
    const held = useApp(open, {}, undefined, limits);
    const keys: string[] = [];
    const clients: SlowClient[] = [];

    beforeAll(async () => {
      for (let i = 0; i < 3; i++) keys.push(await held.keyFor({ '/api/v3/cdr': 'read' }));
      const numbers = held.stores.postgres
        ? `select i from generate_series(1, ${LEGS}) as s(i)`
        : `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LEGS}) select i from n`;
      await createOutsider(held.stores).sql(`insert into cdr_general (start, linkedid, "UNIQUEID", src_name)
        select '2026-04-20 10:00:00.000', 'c' || i, 'u' || i, '${'long name '.repeat(100)}' from (${numbers}) as numbers`);
    });
    afterEach(async () => {
      await Promise.all(clients.splice(0).map((client) => client.leave()));
    });

    return {
      held,
      key: (i: number) => keys[i] as string,
      /** An export whose client stops reading after the first bytes. */
      async slow(i: number, path = EXPORT): Promise<SlowClient> {
        const client = await connectSlowClient({
          port: held.app.port,
          path,
          key: keys[i] as string,
        });
        clients.push(client);
        await client.began;
        return client;
      },
      async whole(i: number): Promise<number> {
        const { status, text } = await held.call('GET', EXPORT, { key: keys[i] as string });
        return status === 200 ? text.trimEnd().split('\r\n').length - 1 : status;
      },
    };
  }

  describe('exports that nobody reads', () => {
    const { held, key, slow, whole } = useExports({
      exportsAtOnce: 2,
      ownWaitMs: 300,
      paceMs: 250,
      leastBytesPerSecond: 0,
    });

    test('make a second export of the same key 429, but do not block other keys', async () => {
      await slow(0);
      const second = await held.call('GET', EXPORT, { key: key(0) });
      expect([second.status, second.headers.get('retry-after')]).toEqual([429, '30']);
      expect(second.text).toContain('you already have an export in progress');
      const asAccepted = { key: key(0), headers: { accept: 'text/csv' } };
      expect((await held.call('GET', '/cdr?idFrom=0', asAccepted)).status).toBe(429);
      expect((await held.call('GET', '/cdr', { key: key(0) })).status).toBe(200);
      expect(await whole(1)).toBe(LEGS);
    });

    test('lose their place to a key that waits for one, and are cut off', async () => {
      const clients = [await slow(0), await slow(1)];
      expect(await whole(2)).toBe(LEGS);
      const received = await Promise.all(clients.map((client) => client.readAll().catch(() => '')));
      const complete = received.filter((text) => text.endsWith('0\r\n\r\n'));
      expect(complete.length).toBeLessThan(clients.length);
    });

    test('free their place when their clients leave', async () => {
      const client = await slow(0);
      await client.leave();
      await eventually(async () => expect(await whole(0)).toBe(LEGS));
    });
  });

  describe('an export that is read too slowly for a minute', () => {
    const { slow, whole } = useExports({ ownWaitMs: 300, paceMs: 200, leastBytesPerSecond: 64 * 1024 });

    test('is cut off even if nobody waits', async () => {
      const client = await slow(0);
      await eventually(async () => expect(await whole(0)).toBe(LEGS));
      expect((await client.readAll().catch(() => '')).endsWith('0\r\n\r\n')).toBe(false);
    });
  });

  describe('an export that keeps the database busy', () => {
    const { held, slow } = useExports({});

    test('ends with its connection', async () => {
      const mend = await makeSearchesEndless(held.stores);
      try {
        const client = await slow(0, `${EXPORT}&search=12345`);
        await eventually(async () => expect(await searchesUnderWay(held.stores)).toBe(1));
        await client.leave();
        await eventually(async () => expect(await searchesUnderWay(held.stores)).toBe(0));
      } finally {
        await mend();
      }
    });
  });
});
