import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { insertLegs, leg, makeSearchesEndless, searchesUnderWay } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

const LIMITS = { searchMs: 10_000, ownWaitMs: 3000, broadLegs: 10_000 };
const ENDLESS = '/cdr?search=20210';

describe.each(availablePairs)('searches, on $name', ({ open }) => {
  const held = useApp(open, {}, undefined, LIMITS);
  const keys: string[] = [];
  let mend: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    for (let i = 0; i < 5; i++) keys.push(await held.keyFor({ '/api/v3/cdr': 'read' }));
    const old = { start: '2026-01-02 10:00:00.000', linkedid: 'old', src_num: '+4930111', dst_num: '20210' };
    // Each in a separate block of 8192 ids, because legs are counted by block.
    await insertLegs(held.stores, leg({ id: 1, ...old }), leg({ id: 20_000, src_num: '+4930222' }));
  });
  afterEach(async () => {
    await mend?.();
    mend = undefined;
  });

  /** Sends a request without reading the answer. */
  async function begin(path: string, key: string | undefined) {
    const socket = connect({ port: held.app.port, host: '127.0.0.1' });
    socket.on('error', () => {});
    await once(socket, 'connect');
    const request = `GET /pbxcore/api/v3${path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n\r\n`;
    await new Promise((sent) => socket.write(request, sent));
    return socket;
  }
  const allDead = () => eventually(async () => expect(await searchesUnderWay(held.stores)).toBe(0));
  const underWay = (count: number) =>
    eventually(async () => expect(await searchesUnderWay(held.stores)).toBeGreaterThanOrEqual(count));

  test('ten endless searches whose connections close at once delay nobody and end with their connections', async () => {
    mend = await makeSearchesEndless(held.stores);
    for (let i = 0; i < 10; i++) (await begin(ENDLESS, keys[0])).destroy();
    const began = await begin(ENDLESS, keys[0]);
    await underWay(1);
    for (const key of keys) expect((await held.call('GET', '/cdr', { key })).status).toBe(200);
    began.destroy();
    await allDead();
    await mend();
    mend = undefined;
    const answer = await eventually(async () => {
      const found = await held.call('GET', ENDLESS, { key: keys[0] as string });
      expect(found.status).toBe(200);
      return found;
    });
    expect(answer.body.data.records).toMatchObject([{ linkedid: 'old' }]);
  });

  test('searches that are pipelined on one connection end with that connection', async () => {
    mend = await makeSearchesEndless(held.stores);
    const socket = await begin('/cdr', keys[0]);
    for (let i = 0; i < 5; i++) {
      const request = `GET /pbxcore/api/v3${ENDLESS} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${keys[i]}\r\n\r\n`;
      await new Promise((sent) => socket.write(request, sent));
    }
    await underWay(3);
    socket.destroy();
    await allDead();
  });

  test('a key has one search at a time, the next is 429; other keys and ordinary pages are not affected', async () => {
    mend = await makeSearchesEndless(held.stores);
    const mine = await begin(ENDLESS, keys[0]);
    await underWay(1);
    const second = await held.call('GET', ENDLESS, { key: keys[0] as string });
    expect(second.status).toBe(429);
    expect(Number(second.headers.get('retry-after'))).toBe(LIMITS.searchMs / 1000);
    expect(second.text).toContain('you already have a search in progress');
    const other = await begin(ENDLESS, keys[1]);
    await underWay(2);
    const ordinary = ['/cdr', '/cdr?idFrom=0&offset=1', '/cdr?linkedid=old', '/cdr?sort=start', '/cdr/old'];
    for (const path of [...ordinary, '/cdr:getMetadata']) {
      expect((await held.call('GET', path, { key: keys[0] as string })).status, path).toBe(200);
    }
    mine.destroy();
    other.destroy();
    await allDead();
  });

  test('a search that takes too long is 503, and its key may search again', async () => {
    mend = await makeSearchesEndless(held.stores);
    const late = await held.call('GET', ENDLESS, { key: keys[2] as string });
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5']);
    expect(late.text).toContain('too long, add digits or dates');
    await allDead();
    await mend();
    mend = undefined;
    expect((await held.call('GET', ENDLESS, { key: keys[2] as string })).status).toBe(200);
  });

  test('while all places are taken, the search of another key waits', async () => {
    mend = await makeSearchesEndless(held.stores);
    const first = await Promise.all(keys.slice(0, 3).map((key) => begin(ENDLESS, key)));
    await underWay(3);
    const waiting = await begin(ENDLESS, keys[3]);
    for (const socket of first) socket.destroy();
    await eventually(async () => expect(await searchesUnderWay(held.stores)).toBe(1));
    waiting.destroy();
    await allDead();
  });

  test.each([
    ['search=1', 'search'],
    ['search=%2B49', 'search'],
    ['src_num=49&grouped=false', 'src_num'],
    ['dst_num=0&sort=duration', 'dst_num'],
    ['search=1&dateFrom=2025-12-01&dateTo=2026-06-01', 'search'],
    ['src_num=1&dst_num=22', 'src_num'],
  ])('%s over a long history is refused as too broad', async (query, field) => {
    const { status, body } = await held.asAdmin('GET', `/cdr?${query}`);
    expect([status, body.messages.error]).toEqual([422, [`${field}: too broad, add digits or dates`]]);
  });

  test.each([
    'search=1&dateFrom=2026-05-01&dateTo=2026-05-31',
    'search=2&idFrom=19999',
    'search=202',
    'search=Li',
    'did=1',
    'src_num=4&dst_num=20210',
    'search=1&linkedid=old',
  ])('%s is answered, because few calls or numbers are left', async (query) => {
    expect((await held.asAdmin('GET', `/cdr?${query}`)).status).toBe(200);
  });
});

describe.each(availablePairs)('searches of one key at the same moment, on $name', ({ open }) => {
  const held = useApp(open, {}, undefined, { ownWaitMs: 30_000, searchMs: 60_000 });

  test('are all answered when they are short', async () => {
    await insertLegs(
      held.stores,
      leg({ src_num: '+4930111', dst_num: '20210' }),
      leg({ src_num: '+4930222' }),
    );
    const texts = ['20210', '+4930222', '4930', 'nobody'];
    const answers = await Promise.all(
      texts.map((text) => held.asAdmin('GET', `/cdr?search=${encodeURIComponent(text)}`)),
    );
    expect(answers.map(({ status, body }) => [status, body.data.pagination.total])).toEqual([
      [200, 1],
      [200, 1],
      [200, 2],
      [200, 0],
    ]);
  });
});
