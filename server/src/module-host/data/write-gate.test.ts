import { expect, test } from 'vitest';
import { ModuleAway } from '../../lib/errors.ts';
import { createWriteGate } from './write-gate.ts';

const turn = () => new Promise(setImmediate);

function begin() {
  const gate = createWriteGate('Shelf');
  const written: string[] = [];
  const write = (name: string) => async () => {
    written.push(name);
    return name;
  };
  return { gate, written, write, request: gate.declare() };
}

test('nothing is copied before pending writes have ended, even if they fail', async () => {
  const { gate, request } = begin();
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  void gate.track(() => first.promise);
  const failed = request(() => second.promise);
  await turn();
  let isSettled = false;
  const settled = gate
    .shut()
    .settled()
    .then(() => {
      isSettled = true;
    });
  first.resolve();
  await turn();
  expect(isSettled).toBe(false);
  second.reject(new Error('no disk'));
  await expect(failed).rejects.toThrow('no disk');
  await settled;
});

test('a module that goes on writing does not delay its own start', async () => {
  const { gate } = begin();
  const first = Promise.withResolvers<void>();
  const endless = Promise.withResolvers<void>();
  void gate.track(() => first.promise);
  const settled = gate.shut().settled();
  void gate.track(() => endless.promise);
  first.resolve();
  await settled;
});

test('a request waits for the decision whether data must be copied, and writes if not', async () => {
  const { gate, written, write, request } = begin();
  const shut = gate.shut();
  const held = request(write('held'));
  await turn();
  expect(written).toEqual([]);
  shut.open();
  expect(await held).toBe('held');
});

test('while data are copied all requests are refused, including waiting ones, until the copy is current', async () => {
  const { gate, written, write, request } = begin();
  const shut = gate.shut();
  const held = request(write('held'));
  shut.refuse();
  await expect(held).rejects.toThrow(ModuleAway);
  await expect(request(write('late'))).rejects.toThrow('module Shelf is starting again');
  shut.open();
  await request(write('after'));
  expect(written).toEqual(['after']);
});

test('a request of an earlier declaration of the records does not write under the latest one', async () => {
  const { gate, write, request } = begin();
  const shut = gate.shut();
  const latest = gate.declare();
  shut.openForLatest();
  await expect(request(write('old'))).rejects.toThrow(ModuleAway);
  expect(await latest(write('new'))).toBe('new');
});

test('an abandoned start does not open what the next one has shut', async () => {
  const { gate, write, request } = begin();
  const given = gate.shut();
  const held = request(write('held'));
  const next = gate.shut();
  given.open();
  given.openForLatest();
  next.refuse();
  await expect(held).rejects.toThrow(ModuleAway);
  next.open();
  expect(await request(write('after'))).toBe('after');
});
