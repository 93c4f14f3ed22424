import { expect, test } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import type { ActiveLeg } from '../../engine.ts';
import type { EngineEvent } from '../../events.ts';
import type { AmiMessage } from '../control/ami.ts';
import { createHeldCalls } from './held-calls.ts';

const leg = (id: string, from: string, to: string): ActiveLeg => ({
  id,
  linkedId: id,
  startedAt: 1000,
  answeredAt: 2000,
  source: { channel: from, number: '', name: '' },
  destination: { channel: to, number: '', name: '' },
  did: '',
});

function made(legs: readonly ActiveLeg[]) {
  let hear: (event: AmiMessage) => void = () => {};
  const told: EngineEvent[] = [];
  const held = createHeldCalls({
    ami: {
      listen(listener) {
        hear = listener;
        return () => {};
      },
    },
    tell: (event) => told.push(event),
    activeCalls: async () => legs,
    onError: (error) => expect.fail(String(error)),
  });
  return { held, told, hear: (event: AmiMessage) => hear(event) };
}

test('only the legs of the holding channel are reported', async () => {
  const [one, other] = [leg('1', 'A', 'B'), leg('2', 'C', 'D')];
  const { held, told, hear } = made([one, other]);
  hear({ Event: 'Hold', Channel: 'B', Linkedid: '1' });
  await eventually(() => expect(told).toEqual([{ type: 'leg-changed', leg: { ...one, isHeld: true } }]));
  expect([one, other].map(held.withHold)).toEqual([{ ...one, isHeld: true }, other]);
  hear({ Event: 'Unhold', Channel: 'B', Linkedid: '1' });
  await eventually(() => expect(told.at(-1)).toEqual({ type: 'leg-changed', leg: one }));
});

test('lines that a caller adds to an event put no other call on hold', () => {
  const [one, other] = [leg('1', 'A', 'B'), leg('2', 'C', 'D')];
  const { held, hear } = made([one, other]);
  hear({ Event: 'Hold', Channel: 'A\nC', Linkedid: '1\n2' });
  expect([one, other].map(held.withHold)).toEqual([{ ...one, isHeld: true }, other]);
});

test('a hold is over when its call ends, and when all holds are forgotten', () => {
  const { held, hear } = made([]);
  hear({ Event: 'Hold', Channel: 'A', Linkedid: '1' });
  held.noted({ type: 'call-ended', linkedId: '1' });
  hear({ Event: 'Hold', Channel: 'C', Linkedid: '2' });
  expect(held.withHold(leg('1', 'A', 'B')).isHeld).toBeUndefined();
  expect(held.withHold(leg('2', 'C', 'D')).isHeld).toBe(true);
  held.forget();
  expect(held.withHold(leg('2', 'C', 'D')).isHeld).toBeUndefined();
});
