import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

// The tests' clock is at Monday, 4 May 2026, 10:11 in Berlin.
describe.each(availablePairs)('contract 26: opening hours on $name', ({ open }) => {
  const held = useApp(open, { PBXCORE_TIMEZONE: 'Europe/Berlin' });
  const { asAdmin } = held;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  type Any = any;

  async function done(method: string, path: string, body?: unknown): Promise<Any> {
    const answer = await asAdmin(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }
  const refused = async (method: string, path: string, body?: unknown): Promise<[number, Any]> => {
    const { status, body: said } = await asAdmin(method, path, body);
    return [status, said.messages?.error];
  };
  const weekend = {
    description: 'Weekend',
    weekday_from: 6,
    weekday_to: '7',
    time_from: '',
    time_to: '',
    extension: '201',
  };
  const create = (fields: object = {}): Promise<Any> =>
    done('POST', '/off-work-times', { ...weekend, ...fields });
  const empty = async () => {
    for (const { id } of await done('GET', '/off-work-times')) await done('DELETE', `/off-work-times/${id}`);
    await done('POST', '/off-work-times:override', { mode: 'auto' });
  };

  test('a rule has its defaults, and answers in the spelling of upstream', async () => {
    const made = await create();
    expect(made).toMatchObject({
      name: 'Weekend',
      description: 'Weekend',
      calType: 'timeframe',
      date_from: '',
      weekday_from: '6',
      weekday_to: '7',
      timezone: '',
      action: 'extension',
      extension: '201',
      audio_message_id: '',
      allowRestriction: false,
      incomingRouteIds: [],
      disabled: false,
      allowedExtensions: [],
      calUrl: '',
      calUser: '',
      calSecret: '',
      activeNow: false,
      activeUntil: '',
    });
    expect(await done('GET', '/off-work-times:getDefault')).toMatchObject({
      id: '',
      weekday_from: '-1',
      time_from: '00:00',
      time_to: '23:59',
      priority: made.priority + 1,
    });
    const [item] = await done('GET', '/off-work-times?search=WEEK');
    expect(item).toMatchObject({
      shot_description: 'Weekend',
      weekday_from: 'Sat',
      weekday_to: 'Sun',
      calendarPeriods: [{ icon: 'calendar', text: 'Sat – Sun', type: 'weekday' }],
      actionDisplay: '201',
    });
    await empty();
  });

  test.each<[object, string]>([
    [{ description: 'x'.repeat(501) }, 'description: at most 500 characters (got 501)'],
    [{ calType: 'caldav' }, 'calType: import a calendar file instead'],
    [{ calType: 'exchange' }, 'calType: must be one of timeframe, ical'],
    [{ date_from: '2026-02-30' }, 'date_from: must be YYYY-MM-DD'],
    [{ weekday_from: 8 }, 'weekday_from: must be one of -1, 1, 2, 3, 4, 5, 6, 7'],
    [{ time_from: '24:00' }, 'time_from: must be HH:MM'],
    [{ time_to: '9.00' }, 'time_to: must be HH:MM'],
    [{ timezone: 'Moon/Base' }, 'timezone: no such time zone'],
    [{ action: 'dance' }, 'action: must be one of extension, playmessage'],
    [{ audio_message_id: '99' }, 'audio_message_id: no such sound file'],
    [{ priority: 10000 }, 'priority: must be 0..9999 (got 10000)'],
    [{ incomingRouteIds: [77] }, 'incomingRouteIds[0]: no such route'],
  ])('%j is refused', async (fields, problem) => {
    expect(await refused('POST', '/off-work-times', { ...weekend, ...fields })).toEqual([400, [problem]]);
  });

  test.each<[object, string]>([
    [{ extension: '' }, 'extension: required by action extension'],
    [{ action: 'playmessage' }, 'audio_message_id: action playmessage needs a sound file with audio'],
    [{ date_from: '2026-05-01' }, 'date_from and date_to: both or none'],
    [{ date_from: '2026-05-02', date_to: '2026-05-01' }, 'date_from: must not be after date_to'],
    [{ weekday_to: -1 }, 'weekday_from and weekday_to: both or none'],
    [{ time_from: '09:00' }, 'time_from and time_to: both or none'],
    [{ time_from: '9:00', time_to: '09:00' }, 'time_from and time_to: must differ'],
    [{ weekday_from: -1, weekday_to: -1 }, 'needs dates, weekdays or times'],
  ])('%j breaks a rule across fields: 422', async (fields, problem) => {
    expect(await refused('POST', '/off-work-times', { ...weekend, ...fields })).toEqual([422, [problem]]);
  });

  test('a rule that closes at all times, or applies to no call, is stored with a warning', async () => {
    const warned = async (fields: object) =>
      (await asAdmin('POST', '/off-work-times', { ...weekend, ...fields })).body.messages.warning as string[];
    expect(await warned({ weekday_from: 1 })).toContain('the rule closes the line at all times');
    expect(await warned({ allowRestriction: true })).toContain(
      'the rule is restricted to routes and names none: it applies to no call',
    );
    expect(await warned({ calType: 'ical' })).toContain(
      'no calendar was imported yet: the rule closes nothing',
    );
    await empty();
  });

  test('a message must be a sound file with audio', async () => {
    const silent = (await done('POST', '/sound-files', { name: 'Later' })).id;
    const message = (audio_message_id: string) => ({ ...weekend, action: 'playmessage', audio_message_id });
    expect(await refused('POST', '/off-work-times', message(silent))).toEqual([
      422,
      ['audio_message_id: action playmessage needs a sound file with audio'],
    ]);
    const { id } = await done('POST', '/off-work-times', message('1'));
    const [item] = await done('GET', '/off-work-times');
    expect(item).toMatchObject({ id, audio_message_id: 'Attention tone', actionDisplay: 'Attention tone' });
    expect((await refused('DELETE', '/sound-files/1'))[0]).toBe(409);
    await empty();
  });

  test('dates may be unix seconds, and hours of one digit are accepted', async () => {
    const { date_from, date_to, time_from } = await create({
      date_from: 1_777_586_400,
      date_to: '1777586400',
      time_from: '9:05',
      time_to: '24:00',
    });
    expect([date_from, date_to, time_from]).toEqual(['2026-05-01', '2026-05-01', '09:05']);
    await empty();
  });

  test(':getState says which rule closes the line and until when', async () => {
    const day = { weekday_from: -1, weekday_to: -1 };
    const { id } = await create();
    await create({ ...day, weekday_from: 1, weekday_to: 5, time_from: '18:00', time_to: '09:00' });
    await create({ ...day, time_from: '00:00', time_to: '09:00' });
    expect(await done('GET', '/off-work-times:getState?at=2026-05-09T10:00:00')).toEqual({
      state: 'closed',
      ruleId: id,
      ruleName: 'Weekend',
      until: '2026-05-11 09:00:00',
      override: null,
      timezone: 'Europe/Berlin',
    });
    expect(await done('GET', '/off-work-times:getState')).toMatchObject({
      state: 'open',
      ruleId: '',
      until: '2026-05-04 18:00:00',
    });
    held.app.step(5 * 86_400_000);
    expect(await done('GET', `/off-work-times/${id}`)).toMatchObject({
      activeNow: true,
      activeUntil: '2026-05-11 00:00:00',
    });
    await done('PATCH', `/off-work-times/${id}`, { disabled: true });
    expect(await done('GET', `/off-work-times/${id}`)).toMatchObject({ activeNow: false, activeUntil: '' });
    held.app.step(-5 * 86_400_000);
    expect((await refused('GET', '/off-work-times:getState?at=soon'))[0]).toBe(400);
    await empty();
  });

  describe('the switch (26.12)', () => {
    const state = (query = '') => done('GET', `/off-work-times:getState${query}`);
    const override = (fields: object) => done('POST', '/off-work-times:override', fields);

    test('opens and closes the line whatever the rules say, until it is reset or expires', async () => {
      expect(await refused('POST', '/off-work-times:override', { mode: 'closed' })).toEqual([
        422,
        ['no usable off-work rule says what callers get while the line is closed: create or repair one'],
      ]);
      const { id } = await create();
      expect(await override({ mode: 'closed' })).toMatchObject({
        state: 'closed',
        ruleId: id,
        until: '',
        override: { mode: 'closed', until: '', ruleId: '', incomingRouteIds: [] },
      });
      expect(await override({ mode: 'auto' })).toMatchObject({ state: 'open', override: null });
      const until = '2026-05-04T12:00:00';
      expect(await override({ mode: 'closed', until, ruleId: id })).toMatchObject({
        state: 'closed',
        until: '2026-05-04 12:00:00',
        override: { mode: 'closed', until: '2026-05-04 12:00:00', ruleId: id },
      });
      held.app.step(2 * 3_600_000);
      expect(await state()).toMatchObject({ state: 'open', override: null });
      held.app.step(-2 * 3_600_000);
      await empty();
    });

    test.each<[object, number, string]>([
      [{}, 400, 'mode: required'],
      [{ mode: 'ajar' }, 400, 'mode: must be one of open, closed, auto'],
      [{ mode: 'open', until: 'soon' }, 400, 'until: must have the format YYYY-MM-DDTHH:MM:SS or YYYY-MM-DD'],
      [
        { mode: 'open', until: { toString: 'x' } },
        400,
        'until: must have the format YYYY-MM-DDTHH:MM:SS or YYYY-MM-DD',
      ],
      [{ mode: 'open', until: '2020-01-01' }, 400, 'until: must be in the future'],
      [{ mode: 'open', incomingRouteIds: [77] }, 400, 'incomingRouteIds[0]: no such route'],
      [{ mode: 'closed', ruleId: '77' }, 400, 'ruleId: no such off-work rule'],
    ])('%j is refused', async (fields, status, problem) => {
      expect(await refused('POST', '/off-work-times:override', fields)).toEqual([status, [problem]]);
    });
  });

  test('priorities can be changed by both actions', async () => {
    const [first, second] = [await create(), await create({ description: 'Night' })];
    const order = async () => (await done('GET', '/off-work-times')).map(({ id }: Any) => id);
    expect(await order()).toEqual([first.id, second.id]);
    await done('POST', '/off-work-times:changePriorities', {
      priorities: { [first.id]: 50, [second.id]: 40 },
    });
    expect(await order()).toEqual([second.id, first.id]);
    await done('POST', '/off-work-times:changePriority', { [first.id]: 1 });
    for (const odd of ['\0', '', '999'])
      expect((await refused('POST', '/off-work-times:changePriority', { [odd]: 1 }))[0]).toBe(404);
    expect(await order()).toEqual([first.id, second.id]);
    await empty();
  });
});
