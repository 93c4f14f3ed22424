import { expect, test } from 'vitest';
import { segmentsOf, totalsOf } from './history.ts';

const event = (timestamp: number, previousState: string, state: string) =>
  ({ timestamp, previousState, state }) as Parameters<typeof segmentsOf>[0]['events'][number];
const told = (...events: ReturnType<typeof event>[]) => ({ events, count: events.length, limit: 100 });

test('changes become periods from the beginning to now', () => {
  const history = told(event(80, 'rejected', 'registered'), event(50, 'registered', 'rejected'));
  expect(segmentsOf(history, { state: 'registered', stateStartTime: 80 }, 0, 100)).toEqual([
    { from: 0, to: 50, state: 'registered' },
    { from: 50, to: 80, state: 'rejected' },
    { from: 80, to: 100, state: 'registered' },
  ]);
});

test('periods before the shown time are left out', () => {
  const history = told(event(80, 'rejected', 'registered'), event(50, 'registered', 'rejected'));
  expect(segmentsOf(history, { state: 'registered', stateStartTime: 80 }, 60, 100)).toEqual([
    { from: 60, to: 80, state: 'rejected' },
    { from: 80, to: 100, state: 'registered' },
  ]);
});

test('without changes only the current state is known, from its beginning', () => {
  expect(segmentsOf(told(), { state: 'OK', stateStartTime: 40 }, 0, 100)).toEqual([
    { from: 0, to: 40, state: 'UNKNOWN' },
    { from: 40, to: 100, state: 'OK' },
  ]);
  expect(segmentsOf(told(), { state: 'OK', stateStartTime: 40 }, 60, 100)).toEqual([
    { from: 60, to: 100, state: 'OK' },
  ]);
});

test('a cut list says nothing about the time before it', () => {
  const history = { ...told(event(50, 'registered', 'rejected')), limit: 1 };
  expect(segmentsOf(history, { state: 'rejected', stateStartTime: 50 }, 0, 100)[0]?.state).toBe('UNKNOWN');
});

test('a provider has no state before it was created', () => {
  const history = told(event(80, 'rejected', 'registered'));
  expect(segmentsOf(history, { state: 'registered', stateStartTime: 80 }, 0, 100, 70)).toEqual([
    { from: 0, to: 70, state: 'UNKNOWN' },
    { from: 70, to: 80, state: 'rejected' },
    { from: 80, to: 100, state: 'registered' },
  ]);
});

test('the times of each state are added up', () => {
  const history = told(event(80, 'OFF', 'OK'), event(50, 'OK', 'OFF'));
  const segments = segmentsOf(history, { state: 'OK', stateStartTime: 80 }, 0, 100);
  expect(totalsOf(segments)).toEqual([
    { state: 'OK', seconds: 70 },
    { state: 'OFF', seconds: 30 },
  ]);
});
