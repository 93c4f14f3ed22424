import { afterAll, describe, expect, test, vi } from 'vitest';
import type { EventLog, LoggedEvent, NewEvent } from './event-log.ts';

export interface LogRig {
  /** Another log on the same store, like that of another node; the same log when there is only one node. */
  open(): Promise<EventLog>;
  advance(ms: number): void;
  close(): Promise<void>;
}

const record = (id: string): NewEvent => ({
  topic: 'records',
  event: 'record',
  data: { resource: 'employees', id, change: 'changed', by: '' },
  path: '/api/v3/employees',
});
const call = (id: string, state?: string): NewEvent => ({
  topic: 'calls',
  event: 'call',
  data: { linkedid: id, state: state ?? 'ended' },
  keep: { subject: id, ...(state && { data: { linkedid: id, state } }) },
});
const idsOf = (events: readonly LoggedEvent[] | undefined) => events?.map(({ data }) => JSON.parse(data).id);
const addedUp = (events: readonly LoggedEvent[] = []) => {
  const states = new Map<string, string>();
  for (const { data } of events) {
    const { linkedid, state } = JSON.parse(data);
    if (state === 'ended') states.delete(linkedid);
    else states.set(linkedid, state);
  }
  return [...states];
};
const soon = <T>(check: () => T) => vi.waitFor(check, { timeout: 10_000, interval: 10 });

/** The behaviour that every event log must have. */
export function eventLogSuite(name: string, makeRig: () => Promise<LogRig>): void {
  describe(name, async () => {
    const rig = await makeRig();
    afterAll(() => rig.close());

    test('events come in the order in which they were published, each with an id of its own', async () => {
      const log = await rig.open();
      const start = log.head;
      for (let n = 0; n < 120; n++) log.publish(record(String(n)));
      await soon(() => expect(log.head - start).toBe(120));
      const events = log.from(start, 1000) as LoggedEvent[];
      expect(idsOf(events)).toEqual(Array.from({ length: 120 }, (_, n) => String(n)));
      expect(new Set(events.map(({ id }) => id)).size).toBe(120);
      expect(events[0]).toMatchObject({ topic: 'records', event: 'record', path: '/api/v3/employees' });
      expect(log.headId).toBe(events.at(-1)?.id);
    });

    test('a client continues after its last event, and gets everything since', async () => {
      const log = await rig.open();
      const start = log.head;
      for (const id of ['a', 'b', 'c']) log.publish(record(id));
      await soon(() => expect(log.head - start).toBe(3));
      const [first] = log.from(start, 1) as LoggedEvent[];
      const place = await log.placeAfter(first?.id as string);
      expect(idsOf(log.from(place as number, 10))).toEqual(['b', 'c']);
      expect(await log.placeAfter(log.headId)).toBe(log.head);
    });

    test('a client cannot continue after an invalid or unknown id', async () => {
      const log = await rig.open();
      for (const id of ['', 'abc', '1', '7-7-7', '-1-1', `${Date.now() + 3_600_000}-0`])
        expect(await log.placeAfter(id), id).toBe('node');
      expect(await log.placeAfter('0-0')).toBe('expired');
    });

    test('the kept state always equals what the events add up to', async () => {
      const log = await rig.open();
      const start = log.head;
      const kept = () => [...log.kept('calls')].map(([id, data]) => [id, JSON.parse(data).state]);
      const moments: { kept: unknown; addedUp: unknown }[] = [];
      log.listen(() => moments.push({ kept: kept(), addedUp: addedUp(log.from(start, 10)) }));
      const version = log.keptVersion('calls');
      log.publish(call('1', 'ringing'));
      log.publish(call('2', 'ringing'));
      log.publish(call('1', 'talking'));
      log.publish(call('2'));
      await soon(() => expect(log.head - start).toBe(4));
      expect(kept()).toEqual([['1', 'talking']]);
      expect(log.keptVersion('calls')).not.toBe(version);
      log.publish(call('1'));
      await soon(() => expect(log.head - start).toBe(5));
      expect(kept()).toEqual([]);
      expect(moments).not.toEqual([]);
      for (const moment of moments) expect(moment.kept).toEqual(moment.addedUp);
    });

    test('an event expires after ten minutes; a client that has received it can still continue', async () => {
      const log = await rig.open();
      const start = log.head;
      log.publish(record('old'));
      log.publish(record('older than it seems'));
      await soon(() => expect(log.head - start).toBe(2));
      const [first, second] = log.from(start, 2) as LoggedEvent[];
      rig.advance(600_001);
      expect(await log.placeAfter(first?.id as string)).toBe('expired');
      expect(log.from(start, 10)).toBeUndefined();
      expect(await log.placeAfter(second?.id as string)).toBe(log.head);
      log.publish(record('new'));
      await soon(() => expect(log.head - start).toBe(3));
      expect(idsOf(log.from((await log.placeAfter(second?.id as string)) as number, 10))).toEqual(['new']);
    });

    test('only the last 10 000 events are kept', async () => {
      const log = await rig.open();
      const start = log.head;
      const ids: string[] = [];
      for (let n = 0; n < 11_500; n += 500) {
        for (let m = n; m < n + 500; m++) log.publish(record(String(m)));
        await soon(() => expect(log.head - start).toBe(n + 500));
        ids.push(log.headId);
      }
      expect(await log.placeAfter(ids[0] as string)).toBe('expired');
      const place = (await log.placeAfter(ids[3] as string)) as number;
      expect(log.head - place).toBe(9500);
      expect(idsOf(log.from(place, 1))).toEqual(['2000']);
    });
  });
}
