import { expect, test } from 'vitest';
import { ModuleAway } from '../../lib/errors.ts';
import type { DescribedModule } from '../description/described-module.ts';
import type { DataPlaces, DataState } from './data-places.ts';
import { createModuleData } from './module-data.ts';
import type { RecordRows } from './record-rows.ts';
import { createWriteGate } from './write-gate.ts';

const ID = 'Shelf';
const BEFORE: DataState = { place: ID, version: '1.0', since: '' };
const text = 'it was stopped while its data were being copied';

/** A module in version 2.0, which migrates the data of 1.0. Writes to its data's state can be held back, or lost. */
function begin() {
  let stored = BEFORE;
  const places = new Map([[ID, ['of 1.0']]]);
  /** In order of execution. */
  const done: string[] = [];
  /** Stands in for the connection to the database: once begun, `settle` waits for it, before and after the write. */
  const line = { reached: Promise.withResolvers<void>(), there: Promise.resolve(), back: Promise.resolve() };
  const rows = (place: string) =>
    ({
      async insert() {
        places.get(place)?.push('by a request');
        return '1';
      },
    }) as unknown as RecordRows;
  const kept: DataPlaces = {
    rows,
    values: () => undefined as never,
    isEmpty: async (place) => places.get(place)?.length === 0,
    indexes: async () => new Map(),
    noteIndexes: async () => {},
    noteVersion: async () => {},
    raiseLastIds: async () => {},
    async stored() {
      done.push('looked up');
      return stored;
    },
    async copy(place) {
      const to = `${place.split('~')[0]}~${places.size}`;
      places.set(to, [...(places.get(place) as string[])]);
      done.push('copied');
      return to;
    },
    async settle(from, to) {
      line.reached.resolve();
      await line.there;
      if (stored.place === from.place) stored = to;
      done.push('settled');
      await line.back;
      return stored;
    },
    async forget(place) {
      places.delete(place);
    },
    sweep: async () => {},
  };
  const gate = createWriteGate(ID);
  const start = (state = BEFORE, noted: Partial<DataPlaces> = {}) => {
    const data = createModuleData({
      version: '2.0',
      places: { ...kept, ...noted },
      state,
      gate,
      log: () => {},
    });
    const described = () => {
      const rowsOf = data.published();
      data.described({ migrates: true } as DescribedModule, []);
      return () => rowsOf('books').insert({ values: {}, searchText: '', unique: {} });
    };
    const upTo = async () => {
      const request = described();
      const moved = await data.open();
      if (moved) await data.index();
      return { moved, request };
    };
    return { data, described, upTo };
  };
  return {
    start,
    line,
    done,
    /** The contents of the current place. */
    current: () => places.get(stored.place),
    left: () => [...places.keys()],
    /** Another node is first. */
    settleElsewhere(version = '2.0') {
      places.set(`${ID}~9`, ['of another node']);
      stored = { place: `${ID}~9`, version, since: version };
    },
  };
}

/** The copy is being made current: the database has not answered yet, or was not reached. */
async function keeping(wayOf: 'there' | 'back') {
  const shelf = begin();
  const way = Promise.withResolvers<void>();
  shelf.line[wayOf] = way.promise;
  const started = shelf.start();
  const { request } = await started.upTo();
  const kept = started.data.keep();
  await shelf.line.reached.promise;
  return { shelf, way, kept, request, ...started };
}

test('a copy that is not current yet is removed with the start that made it', async () => {
  const shelf = begin();
  const { data, upTo } = shelf.start();
  expect((await upTo()).moved).toEqual({ from: '1.0', to: '2.0' });
  expect(shelf.left()).toEqual([ID, `${ID}~1`]);
  await data.drop();
  expect(shelf.left()).toEqual([ID]);
});

test('a start that ends while its copy is made current does not remove the copy', async () => {
  const { shelf, way, kept, data } = await keeping('back');
  const dropped = data.drop();
  way.resolve();
  await expect(kept).rejects.toThrow(text);
  await dropped;
  expect(shelf.current()).toEqual(['of 1.0']);
  expect(data.place()).toBe(`${ID}~1`);
});

test('a copy is kept when the answer is lost that would say whether it is current', async () => {
  const shelf = begin();
  shelf.line.back = Promise.reject(new Error('connection lost'));
  const { data, upTo } = shelf.start();
  await upTo();
  await expect(data.keep()).rejects.toThrow('connection lost');
  await data.drop();
  expect(shelf.current()).toEqual(['of 1.0']);
});

test('a copy is removed once another one is known to be current, even if its start has ended', async () => {
  const { shelf, way, kept, data } = await keeping('there');
  const dropped = data.drop();
  shelf.settleElsewhere();
  way.resolve();
  await expect(kept).rejects.toThrow(text);
  await dropped;
  expect(shelf.left()).toEqual([ID, `${ID}~9`]);
  expect(data.place()).toBe(`${ID}~9`);
});

test('a start fails when another node has meanwhile moved the data to another version', async () => {
  const { shelf, way, kept, data, upTo } = await keeping('there');
  shelf.settleElsewhere('3.0');
  way.resolve();
  await expect(kept).rejects.toThrow('another node has migrated its data to version 3.0');
  await data.drop();
  await expect(upTo()).rejects.toThrow('its data were migrated to version 3.0');
});

test('a copy that may be current is not made current a second time', async () => {
  const shelf = begin();
  shelf.line.back = Promise.reject(new Error('connection lost'));
  const { data, upTo } = shelf.start();
  await upTo();
  await expect(data.keep()).rejects.toThrow('connection lost');
  await expect(data.keep()).rejects.toThrow('already');
});

test('the next start waits until the place of the data is known, and continues there', async () => {
  const { shelf, way, kept, data, upTo } = await keeping('there');
  void data.drop();
  const again = upTo();
  way.resolve();
  await expect(kept).rejects.toThrow(text);
  expect((await again).moved).toBeUndefined();
  expect(shelf.done).toEqual(['looked up', 'copied', 'settled', 'looked up']);
  expect(data.place()).toBe(`${ID}~1`);
  await data.keep();
  expect(shelf.current()).toEqual(['of 1.0']);
});

test.each([
  [
    'the same process of the service',
    (shelf: ReturnType<typeof begin>, before: ReturnType<typeof shelf.start>) => before,
  ],
  ['another decision about it', (shelf: ReturnType<typeof begin>) => shelf.start()],
])('after a lost answer, a start of %s goes by what is stored', async (_, next) => {
  const shelf = begin();
  shelf.line.back = Promise.reject(new Error('connection lost'));
  const first = shelf.start();
  await first.upTo();
  await expect(first.data.keep()).rejects.toThrow('connection lost');
  await first.data.drop();
  const { data, upTo } = next(shelf, first);
  const { moved, request } = await upTo();
  expect(moved).toBeUndefined();
  await data.keep();
  await request();
  expect(shelf.current()).toEqual(['of 1.0', 'by a request']);
});

test('while the place of the data is unknown, nothing is written that might miss it', async () => {
  const { way, kept, request, data, described } = await keeping('back');
  void data.drop();
  await expect(request()).rejects.toThrow(ModuleAway);
  way.reject(new Error('connection lost'));
  await expect(kept).rejects.toThrow('connection lost');
  await expect(request()).rejects.toThrow(ModuleAway);
  await expect(described()()).rejects.toThrow(ModuleAway);
});

test('while the place of the data cannot be looked up, nothing is written and held requests are refused', async () => {
  const shelf = begin();
  shelf.line.back = Promise.reject(new Error('connection lost'));
  let isDown = false;
  const stored = async () => {
    if (isDown) throw new Error('still no connection');
    return BEFORE;
  };
  const { data, upTo, described } = shelf.start(BEFORE, { stored });
  const { request } = await upTo();
  await expect(data.keep()).rejects.toThrow('connection lost');
  void data.drop();
  isDown = true;
  const newer = described();
  const opened = data.open();
  const held = newer();
  await expect(opened).rejects.toThrow('still no connection');
  await expect(held).rejects.toThrow(ModuleAway);
  await expect(request()).rejects.toThrow(ModuleAway);
  await expect(newer()).rejects.toThrow(ModuleAway);
});

test('a request held during the lookup of the place is refused when the data are elsewhere', async () => {
  const shelf = begin();
  const { data, described } = shelf.start();
  const request = described();
  shelf.settleElsewhere();
  const opened = data.open();
  const held = request();
  await expect(held).rejects.toThrow(ModuleAway);
  await opened;
  await data.keep();
  await request();
  expect(shelf.current()).toEqual(['of another node', 'by a request']);
});

test('a late note of an ended start admits no request to the data that the next start copies', async () => {
  const shelf = begin();
  shelf.settleElsewhere();
  const noted = Promise.withResolvers<void>();
  const noting = Promise.withResolvers<void>();
  const noteIndexes = async () => {
    noting.resolve();
    await noted.promise;
  };
  shelf.start().described();
  const { data, upTo } = shelf.start(BEFORE, { noteIndexes });
  await upTo();
  const kept = data.keep();
  await noting.promise;
  await data.drop();
  const { request } = await upTo();
  noted.resolve();
  await expect(kept).rejects.toThrow(text);
  await expect(request()).rejects.toThrow(ModuleAway);
});
