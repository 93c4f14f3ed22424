import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { StoreUnavailable } from '../../lib/errors.ts';
import { openSql } from './open.ts';
import { createSqlCopy, type SqlCopy } from './sql-copy.ts';

let now = 0;
const clock = { now: () => now };
const errors: unknown[] = [];
const outage = new StoreUnavailable('down');
const copies: SqlCopy<unknown>[] = [];

beforeEach(() => {
  now = 1_000_000;
  errors.length = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  for (const copy of copies.splice(0)) copy.close();
  vi.useRealTimers();
});

async function createCopy<T>(load: () => Promise<T>, revision?: () => Promise<number>): Promise<SqlCopy<T>> {
  const onError = (error: unknown) => errors.push(error);
  const copy = await createSqlCopy({ load, clock, onError, ...(revision && { revision }) });
  copies.push(copy);
  return copy;
}

/** A `load` that the test answers one call at a time. */
function createSlowLoad() {
  const waiting: PromiseWithResolvers<number>[] = [];
  let count = 0;
  const load = () => {
    if (count++ === 0) return Promise.resolve(0);
    const answer = Promise.withResolvers<number>();
    waiting.push(answer);
    return answer.promise;
  };
  return { load, waiting, count: () => count };
}

const nextChange = <T>(copy: SqlCopy<T>) =>
  new Promise<[T, T]>((resolve) => copy.onChange((next, previous) => resolve([next, previous])));

describe('the copy of a query', () => {
  test('picks up what another tool wrote at its next interval, without being asked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pbxcore-copy-'));
    const file = join(folder, 'db');
    const ours = await openSql({ file });
    const theirs = await openSql({ file });
    try {
      const copy = await createCopy(() =>
        ours.db.selectFrom('m_NetworkFilters').select(['id', 'deny']).execute(),
      );
      expect(copy.current()).toEqual([]);
      const change = nextChange(copy);
      await theirs.db.insertInto('m_NetworkFilters').values({ deny: '192.0.2.1' }).execute();
      expect(copy.current()).toEqual([]);
      vi.advanceTimersByTime(2000);
      expect(await change).toEqual([[{ id: 1, deny: '192.0.2.1' }], []]);
      expect(copy.current()).toEqual([{ id: 1, deny: '192.0.2.1' }]);
    } finally {
      await ours.close();
      await theirs.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('is used while younger than three seconds and read again after that', async () => {
    let value = 1;
    const copy = await createCopy(async () => value);
    value = 2;
    now += 2999;
    expect(await copy.fresh()).toBe(1);
    now += 1;
    expect(await copy.fresh()).toBe(2);
  });

  test('is read again when the clock was set back', async () => {
    let value = 1;
    const copy = await createCopy(async () => value);
    value = 2;
    now -= 60_000;
    expect(await copy.fresh()).toBe(2);
  });

  test('reports a change only when the value differs in depth', async () => {
    let value = [{ a: 1 }];
    const copy = await createCopy(async () => structuredClone(value));
    const told: unknown[] = [];
    copy.onChange((next, previous) => told.push([next, previous]));
    await copy.reload();
    expect(told).toEqual([]);
    value = [{ a: 2 }];
    await copy.reload();
    expect(told).toEqual([[[{ a: 2 }], [{ a: 1 }]]]);
  });

  test('a reload requested during a read gets a later read, which several requests share', async () => {
    const { load, waiting, count } = createSlowLoad();
    const copy = await createCopy(load);
    const first = copy.reload();
    const late = [copy.reload(), copy.reload(), copy.reload()];
    expect(count()).toBe(2);
    waiting[0]?.resolve(1);
    expect(await first).toBe(1);
    await vi.advanceTimersByTimeAsync(0);
    waiting[1]?.resolve(2);
    expect(await Promise.all(late)).toEqual([2, 2, 2]);
    expect(count()).toBe(3);
  });

  test('a reload requested during a failing read still reads', async () => {
    const { load, waiting } = createSlowLoad();
    const copy = await createCopy(load);
    const first = copy.reload();
    const late = copy.reload();
    waiting[0]?.reject(outage);
    await expect(first).rejects.toBe(outage);
    await vi.advanceTimersByTimeAsync(0);
    waiting[1]?.resolve(2);
    expect(await late).toBe(2);
  });

  test('an old copy waits for the read that is under way', async () => {
    const { load, waiting, count } = createSlowLoad();
    const copy = await createCopy(load);
    now += 3000;
    const all = [copy.fresh(), copy.fresh()];
    expect(count()).toBe(2);
    waiting[0]?.resolve(5);
    expect(await Promise.all(all)).toEqual([5, 5]);
  });

  test('keeps its value in an outage, rejects requests for a fresh one and reports the outage once', async () => {
    let down = true;
    let value = 1;
    const copy = await createCopy(async () => {
      if (down && value > 1) throw outage;
      return value;
    });
    value = 2;
    await expect(copy.reload()).rejects.toBe(outage);
    now += 3000;
    await expect(copy.fresh()).rejects.toBe(outage);
    await vi.advanceTimersByTimeAsync(4000);
    expect(copy.current()).toBe(1);
    expect(errors).toEqual([outage]);
    down = false;
    expect(await copy.fresh()).toBe(2);
    down = true;
    await expect(copy.reload()).rejects.toBe(outage);
    expect(errors).toEqual([outage, outage]);
  });

  test('with a revision it is read again only when the revision has changed, even backwards', async () => {
    let [revision, value] = [7, 1];
    const load = vi.fn(async () => value);
    const copy = await createCopy(load, async () => revision);
    now += 60_000;
    expect(await copy.fresh()).toBe(1);
    expect(load).toHaveBeenCalledTimes(1);
    for (const next of [8, 5]) {
      revision = next;
      value++;
      expect(await Promise.all([copy.fresh(), copy.fresh(), copy.fresh()])).toEqual([value, value, value]);
    }
    expect(await copy.fresh()).toBe(3);
    expect(load.mock.calls.length, 'who comes together shares a read, or two').toBeLessThanOrEqual(5);
  });

  test('rows committed during a read do not count as read', async () => {
    let revision = 1;
    const { load, waiting, count } = createSlowLoad();
    const copy = await createCopy(load, async () => revision);
    revision = 2;
    const first = copy.fresh();
    await eventually(() => expect(count()).toBe(2));
    revision = 3;
    const second = copy.fresh();
    waiting[0]?.resolve(20);
    expect(await first).toBe(20);
    await eventually(() => expect(count()).toBe(3));
    waiting[1]?.resolve(30);
    expect(await second).toBe(30);
    expect(await copy.fresh()).toBe(30);
  });

  test('a revision that cannot be read is an outage, however young the copy is', async () => {
    let down = false;
    const copy = await createCopy(
      async () => 1,
      async () => {
        if (down) throw outage;
        return 1;
      },
    );
    down = true;
    await expect(copy.fresh()).rejects.toBe(outage);
    down = false;
    expect(await copy.fresh()).toBe(1);
  });

  test('cannot be created without a first value', async () => {
    await expect(createCopy(() => Promise.reject(outage))).rejects.toBe(outage);
  });

  test('reads nothing by itself once closed', async () => {
    const load = vi.fn(async () => 1);
    const copy = await createCopy(load);
    copy.close();
    vi.advanceTimersByTime(60_000);
    expect(load).toHaveBeenCalledTimes(1);
  });
});
