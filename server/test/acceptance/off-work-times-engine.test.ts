import { afterEach, describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { type EventReader, openEvents } from '../event-reader.ts';
import { eventually } from '../eventually.ts';
import { createOutsider } from '../outsider.ts';
import { availablePairs, useApp } from './use-app.ts';

const DAY_MS = 86_400_000;

describe.each(availablePairs)('contract 26: opening hours and the engine on $name', ({ open }) => {
  const engine = createFakeEngine();
  const held = useApp(open, {}, engine);
  const { asAdmin } = held;
  const opened: EventReader[] = [];
  afterEach(() => {
    for (const reader of opened.splice(0)) reader.close();
  });
  const done = async (method: string, path: string, body?: unknown) => {
    const answer = await asAdmin(method, path, body);
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.body.data;
  };
  const weekend = {
    description: 'Weekend',
    weekday_from: 6,
    weekday_to: 7,
    time_from: '',
    time_to: '',
    extension: '201',
  };
  const flow = () => {
    if (!engine.served.callFlow) throw new Error('nothing was told of where calls go');
    return engine.served.callFlow;
  };
  const follow = async () => {
    const reader = await openEvents(held.app.port, { token: await held.app.admin(), topics: 'hours' });
    opened.push(reader);
    await reader.snapshot('hours');
    return reader;
  };
  let ruleId = '';

  test('the engine receives enabled rules in the order of their priorities', async () => {
    ruleId = (await done('POST', '/off-work-times', weekend)).id;
    const holidays = {
      calType: 'ical',
      extension: 'busy',
      timezone: 'America/New_York',
      priority: 1,
      disabled: true,
    };
    const second = await done('POST', '/off-work-times', { description: 'Holidays', ...holidays });
    await eventually(() => expect(flow().offWorkRules.map(({ id }) => id)).toEqual([Number(ruleId)]));
    await done('PATCH', `/off-work-times/${second.id}`, { disabled: false, priority: 0 });
    await done('POST', '/off-work-times:changePriority', { [second.id]: 0 });
    await eventually(() =>
      expect(flow().offWorkRules).toMatchObject([
        {
          name: 'Holidays',
          timezone: 'America/New_York',
          target: 'busy',
          when: { kind: 'calendar', ranges: [] },
        },
        { name: 'Weekend', timezone: 'Europe/Berlin', target: '201', when: { weekdayFrom: 6, timeFrom: '' } },
      ]),
    );
  });

  test('a calendar reaches 400 days ahead and is extended by a day every day', async () => {
    const [{ id }] = await done('GET', '/off-work-times?search=Holidays');
    const ics = 'BEGIN:VEVENT\nDTSTART:20260504T000000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY\nEND:VEVENT';
    await done('POST', `/off-work-times/${id}:importCalendar`, { ics });
    const reaches = () => {
      const when = flow().offWorkRules[0]?.when;
      return when?.kind === 'calendar' ? (when.ranges.at(-1)?.[0] ?? 0) : 0;
    };
    await eventually(() => expect(reaches()).toBeGreaterThan(held.app.now() + 398 * DAY_MS));
    const before = reaches();
    await held.app.advance(DAY_MS);
    await eventually(() => expect(reaches()).toBe(before + DAY_MS));
    await done('DELETE', `/off-work-times/${id}`);
  });

  test('an event under way keeps its times when calendars are renewed, even across a clock change', async () => {
    const rule = { description: 'Works', calType: 'ical', extension: 'busy', timezone: 'Europe/Berlin' };
    const { id } = await done('POST', '/off-work-times', rule);
    const ics =
      'BEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:20260320T180000\nDTEND;TZID=Europe/Berlin:20260601T080000\nEND:VEVENT';
    await done('POST', `/off-work-times/${id}:importCalendar`, { ics });
    const times = [['2026-03-20T17:00:00Z', '2026-06-01T06:00:00Z'].map((text) => Date.parse(text))];
    const served = () => {
      const when = flow().offWorkRules.find((one) => one.id === Number(id))?.when;
      return when?.kind === 'calendar' ? when.ranges : undefined;
    };
    await eventually(() => expect(served()).toEqual(times));
    const before = served();
    await held.app.advance(DAY_MS);
    await eventually(() => expect(served()).not.toBe(before));
    expect(served()).toEqual(times);
    await done('DELETE', `/off-work-times/${id}`);
  });

  test('the switch is sent to the engine and to event readers, and survives a restart', async () => {
    const reader = await follow();
    await done('POST', '/off-work-times:override', { mode: 'closed', ruleId });
    const told = await reader.event('hours-changed');
    expect(told.data).toEqual({
      state: 'closed',
      ruleId,
      override: { mode: 'closed', until: '', ruleId, incomingRouteIds: [] },
      incomingRouteIds: [],
    });
    await eventually(() =>
      expect(flow().overrides).toEqual([{ mode: 'closed', until: 0, ruleId: Number(ruleId), routeIds: [] }]),
    );
    const { overrideRevision } = flow();
    await held.app.restart();
    expect((await done('GET', '/off-work-times:getState')).override).toMatchObject({ mode: 'closed' });
    await eventually(() => expect(flow().overrides).toHaveLength(1));
    expect(flow().overrideRevision).toBe(overrideRevision);
  });

  test('an override that expires is reported when it has ended', async () => {
    const reader = await follow();
    const until = new Date(held.app.now() + 60_000).toISOString();
    await done('POST', '/off-work-times:override', { mode: 'open', until });
    await reader.event('hours-changed', ({ override }) => override?.mode === 'open');
    await held.app.advance(61_000);
    const ended = await reader.event('hours-changed', ({ override }) => override === null);
    expect(ended.data).toEqual({ state: 'open', ruleId: '', override: null, incomingRouteIds: [] });
  });

  test('a switch by phone is an override, unless there was a later switch; a repeated report counts once', async () => {
    const switched = (mode: 'closed' | 'auto', at: number, revision = flow().overrideRevision) =>
      engine.switchNight({ legId: `n-${at}-1-night`, at, mode, revision });
    const override = async () => (await done('GET', '/off-work-times:getState')).override?.mode ?? null;
    await done('POST', '/off-work-times:override', { mode: 'auto' });
    await eventually(() => expect(flow().overrides).toEqual([]));
    const base = flow().overrideRevision;
    await held.app.advance(20_000);
    switched('closed', held.app.now() - 5000, base);
    await eventually(async () => expect(await override()).toBe('closed'));
    switched('closed', held.app.now() - 10_000, 1);
    switched('auto', held.app.now() - 1000, base);
    await eventually(async () => expect(await override()).toBe(null));
    switched('closed', held.app.now() - 5000, base);
    await held.app.advance(1000);
    expect(await override()).toBe(null);
  });

  test('V11: a call that heard the message of a closed line is unanswered and keeps the number it dialled', async () => {
    const startedAt = held.app.now();
    engine.startLeg({
      id: 'v11-1',
      linkedId: 'v11',
      startedAt,
      answeredAt: null,
      source: { channel: 'PJSIP/P-1', number: '+4917012345', name: '' },
      destination: { channel: 'App:offwork', number: '', name: 'Weekend' },
      did: '4930111',
    });
    const ending = {
      disposition: 'NO ANSWER',
      application: 'offwork',
      isApplication: true,
      dialStatus: 'CONTINUE',
    } as const;
    engine.endLeg('v11-1', { endedAt: startedAt + 8000, ...ending });
    engine.endCall('v11');
    await eventually(async () => {
      const [call] = (await done('GET', '/cdr?linkedid=v11')).records;
      expect(call).toMatchObject({
        dst_num: '4930111',
        disposition: 'NO ANSWER',
        totalBillsec: 0,
        records: [
          {
            dst_num: '',
            dst_name: 'Weekend',
            appname: 'offwork',
            dialstatus: 'CONTINUE',
            duration: 8,
            is_app: '1',
          },
        ],
      });
    });
  });

  test('26.11: a rule whose target is gone is skipped, and the doctor names it', async () => {
    const { id } = await done('POST', '/off-work-times', {
      ...weekend,
      description: 'Lost',
      weekday_from: 1,
    });
    const state = async () => (await done('GET', '/off-work-times:getState')).state;
    expect(await state()).toBe('closed');
    const { sql } = createOutsider(held.stores);
    await sql(
      `update call_flow_records set fields = replace(fields, '"extension":"201"', '"extension":""') where id = '${id}' and kind = 'off-work-times'`,
    );
    await sql('update call_flow_changes set version = version + 1');
    await held.app.advance(5000);
    expect(await state()).toBe('open');
    await held.app.advance(20_000);
    const { findings } = await done('GET', '/system:getInfo');
    expect(findings.map(({ text }: { text: string }) => text)).toContain(
      `the off-work rule "Lost" (${id}) is passed over: it has no target`,
    );
    await done('DELETE', `/off-work-times/${id}`);
  });
});
