import { expect, test } from 'vitest';
import { Overloaded, RuleBroken } from '../../lib/errors.ts';
import { BrokenModule } from '../../module-host/description/broken-module.ts';
import type { FoundModule } from '../../module-host/folder/module-folder.ts';
import { LIMITS } from '../../module-host/process/limits.ts';
import { createPreviews } from './previews.ts';

const STOPPING = new Overloaded('the service is stopping');
/** Waits until everything pending has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Modules that are loaded when the test says so, or never when they are given up. */
function scripted() {
  const begun: { id: string; done(): void; isEnded: boolean }[] = [];
  const atWork = new Set<string>();
  const previews = createPreviews({
    pbx: { version: '1.0.0', timezone: 'UTC' },
    closedPorts: [],
    limits: LIMITS,
    check() {},
    loading(id) {
      atWork.add(id);
      return () => void atWork.delete(id);
    },
    load: ({ found, quit }) =>
      new Promise((resolve, reject) => {
        const one = { id: found.manifest.id, done: () => resolve([]), isEnded: false };
        begun.push(one);
        quit?.addEventListener('abort', () => {
          one.isEnded = true;
          reject(new BrokenModule('it was no longer needed'));
        });
      }),
  });
  const look = (id: string) => previews.of({ manifest: { id } } as FoundModule, {});
  return { begun, atWork, look, close: previews.close };
}

test('modules are checked one after the other; eight may wait, and more are refused until a place is free', async () => {
  const { begun, look } = scripted();
  const ids = Array.from({ length: 9 }, (_, n) => `M${n}`);
  const answers = ids.map(look);
  const refused = new Overloaded('8 checks of modules are waiting already');
  await expect(look('Late')).rejects.toThrow(refused);
  for (const [n, id] of ids.entries()) {
    await settled();
    expect(begun.map((one) => one.id)).toEqual(ids.slice(0, n + 1));
    begun[n]?.done();
    expect(await answers[n], id).toEqual([]);
  }
  const again = look('Late');
  await settled();
  begun[9]?.done();
  expect(await again).toEqual([]);
});

test('stopping the service ends the check under way and starts none that is waiting or arrives later', async () => {
  const { begun, atWork, look, close } = scripted();
  const answers = [look('One'), look('Two')].map((answer) => expect(answer).rejects.toThrow(STOPPING));
  await settled();
  expect(atWork).toEqual(new Set(['One']));
  await close();
  await Promise.all(answers);
  await expect(look('Three')).rejects.toThrow(STOPPING);
  expect(begun).toMatchObject([{ id: 'One', isEnded: true }]);
  expect(atWork.size).toBe(0);
});

test('a module that cannot be loaded is refused with the reason, and the next one is checked', async () => {
  const previews = createPreviews({
    pbx: { version: '1.0.0', timezone: 'UTC' },
    closedPorts: [],
    limits: LIMITS,
    check({ id }) {
      if (id === 'Greedy') throw new BrokenModule('it wants too much');
    },
    loading: () => () => {},
    load: async () => [],
  });
  const look = (id: string) => previews.of({ manifest: { id } } as FoundModule, {});
  const answers = [look('Greedy'), look('Good')];
  await expect(answers[0]).rejects.toThrow(
    new RuleBroken('module Greedy cannot be started: it wants too much'),
  );
  expect(await answers[1]).toEqual([]);
});
