import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

// The tests' clock is at Monday, 4 May 2026, 10:11 in Berlin.
const calendar = (...events: string[][]) =>
  [
    'BEGIN:VCALENDAR',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const ZONES = Intl.supportedValuesOf('timeZone');
const CHRISTMAS = [
  'UID:1',
  'SUMMARY:Christmas',
  'DTSTART;VALUE=DATE:20201225',
  'DTEND;VALUE=DATE:20201227',
  'RRULE:FREQ=YEARLY',
];
const LUNCH = ['UID:2', 'SUMMARY:Lunch', 'DTSTART;TZID=Europe/Berlin:20260504T120000', 'DURATION:PT1H'];
const OFF = ['UID:3', 'SUMMARY:Not here', 'DTSTART:20260504', 'TRANSP:TRANSPARENT'];

describe.each(availablePairs)('contract 26.9: calendars on $name', ({ open }) => {
  const held = useApp(open, { PBXCORE_TIMEZONE: 'Europe/Berlin' });
  const { asAdmin } = held;
  const create = async (fields: object = {}): Promise<string> => {
    const rule = { description: 'Holidays', calType: 'ical', extension: '201', ...fields };
    return (await asAdmin('POST', '/off-work-times', rule)).body.data.id;
  };
  const send = async (id: string, text: string, type = 'text/calendar') =>
    held.call('POST', `/off-work-times/${id}:importCalendar`, {
      token: await held.app.admin(),
      body: text,
      headers: { 'content-type': type },
    });
  const state = async (at: string) =>
    (await asAdmin('GET', `/off-work-times:getState?at=${at}`)).body.data.state as string;

  test('a file closes the line during its events, and skipped events are named', async () => {
    const id = await create();
    const { status, body } = await send(id, calendar(CHRISTMAS, LUNCH, OFF));
    expect(status).toBe(200);
    expect(body.data).toEqual({
      events: 2,
      from: '2026-05-04 12:00:00',
      to: '2026-12-27 00:00:00',
      skipped: [{ uid: '3', summary: 'Not here', reason: 'does not take up time (TRANSPARENT)' }],
    });
    const moments = [
      '2026-12-24T23:59:00',
      '2026-12-25T00:00:00',
      '2026-12-26T23:59:00',
      '2026-12-27T00:00:00',
    ];
    const states: string[] = [];
    for (const at of moments) states.push(await state(at));
    expect(states).toEqual(['open', 'closed', 'closed', 'open']);
    expect(await state('2031-12-25T10:00:00')).toBe('closed');
    expect((await asAdmin('GET', `/off-work-times/${id}:getCalendar`)).body.data).toEqual([
      { from: '2026-05-04 12:00:00', to: '2026-05-04 13:00:00', allDay: false, summary: 'Lunch' },
      { from: '2026-12-25 00:00:00', to: '2026-12-27 00:00:00', allDay: true, summary: 'Christmas' },
    ]);
    const shown = (await asAdmin('GET', `/off-work-times/${id}`)).body.data;
    expect(shown).not.toHaveProperty('calendar');
    await asAdmin('DELETE', `/off-work-times/${id}`);
  });

  test('a second file replaces the first, and PUT keeps it', async () => {
    const id = await create();
    await asAdmin('POST', `/off-work-times/${id}:importCalendar`, { ics: calendar(CHRISTMAS) });
    await asAdmin('POST', `/off-work-times/${id}:importCalendar`, { ics: calendar(LUNCH) });
    await asAdmin('PUT', `/off-work-times/${id}`, { calType: 'ical', extension: '202' });
    expect([await state('2026-12-25T10:00:00'), await state('2026-05-04T12:30:00')]).toEqual([
      'open',
      'closed',
    ]);
    await asAdmin('DELETE', `/off-work-times/${id}`);
  });

  test('whole days follow the time zone of the rule', async () => {
    const id = await create({ timezone: 'America/New_York' });
    await send(id, calendar(CHRISTMAS));
    expect([await state('2026-12-25T05:59:00'), await state('2026-12-25T06:00:00')]).toEqual([
      'open',
      'closed',
    ]);
    await asAdmin('DELETE', `/off-work-times/${id}`);
  });

  test.each<[string, string, string, number, string]>([
    ['nothing readable', 'text/calendar', 'hello', 400, 'ics: it has no event that can be read'],
    ['an empty calendar', 'text/calendar', calendar(), 400, 'ics: it has no event that can be read'],
    [
      'only what does not count',
      'text/calendar',
      calendar(OFF),
      400,
      'ics: it has no event that can be read; the first of 1 is skipped: does not take up time (TRANSPARENT)',
    ],
    [
      'too many events',
      'text/calendar',
      calendar(...Array.from({ length: 5001 }, () => OFF)),
      400,
      'ics: at most 5000 events',
    ],
    [
      'too many zones',
      'text/calendar',
      calendar(
        ...Array.from({ length: 21 }, (_, at) => [
          `DTSTART;TZID=${ZONES[at]}:20260504T120000`,
          'DURATION:PT1H',
        ]),
      ),
      400,
      'ics: at most 20 time zones',
    ],
    [
      'too many dates',
      'text/calendar',
      calendar([...LUNCH, ...Array.from({ length: 5001 }, () => 'EXDATE:20260504T120000')]),
      400,
      'ics: at most 5000 dates in EXDATE and RDATE',
    ],
    [
      'too many occurrences',
      'text/calendar',
      calendar(...Array.from({ length: 60 }, () => [...LUNCH, 'RRULE:FREQ=DAILY'])),
      400,
      'ics: more than 20000 occurrences in 400 days',
    ],
    ['another type', 'text/plain', calendar(LUNCH), 415, ''],
    ['more than 2 MB', 'text/calendar', 'x'.repeat(2_100_000), 413, ''],
    ['JSON without the file', 'application/json', '{}', 400, 'ics: required'],
  ])('%s is refused', async (_, type, text, status, problem) => {
    const id = await create();
    const answer = await send(id, text, type);
    expect(answer.status).toBe(status);
    if (problem !== '') expect(answer.body.messages.error).toEqual([problem]);
    await asAdmin('DELETE', `/off-work-times/${id}`);
  });

  test('an event under way ends at its own time, whichever moment is queried', async () => {
    const id = await create();
    await send(
      id,
      calendar(['DTSTART;TZID=Europe/Berlin:20261023T180000', 'DTEND;TZID=Europe/Berlin:20261102T080000']),
    );
    const ends: string[] = [];
    for (const day of [
      '2026-10-23T18:00:00',
      '2026-10-29T12:00:00',
      '2026-10-30T12:00:00',
      '2026-11-02T07:59:00',
    ]) {
      const answer = await asAdmin('GET', `/off-work-times:getState?at=${day}`);
      ends.push(answer.body.data.until);
    }
    expect(ends).toEqual(Array.from({ length: 4 }, () => '2026-11-02 08:00:00'));
    await asAdmin('DELETE', `/off-work-times/${id}`);
  });

  test('RDATE, EXDATE and DURATION are respected', async () => {
    const id = await create();
    await send(
      id,
      calendar([
        'DTSTART;TZID=Europe/Berlin:20260505T120000',
        'DURATION:PT1H30M',
        'RRULE:FREQ=DAILY;COUNT=3',
        'EXDATE;TZID=America/New_York:20260506T060000',
        'RDATE;TZID=Europe/Berlin:20260510T180000',
      ]),
    );
    const shown = (await asAdmin('GET', `/off-work-times/${id}:getCalendar`)).body.data;
    expect(shown.map(({ from, to }: { from: string; to: string }) => `${from} ${to}`)).toEqual([
      '2026-05-05 12:00:00 2026-05-05 13:30:00',
      '2026-05-07 12:00:00 2026-05-07 13:30:00',
      '2026-05-10 18:00:00 2026-05-10 19:30:00',
    ]);
    expect([await state('2026-05-06T12:30:00'), await state('2026-05-10T19:29:00')]).toEqual([
      'open',
      'closed',
    ]);
    await asAdmin('DELETE', `/off-work-times/${id}`);
  });

  test('a time zone is accepted in any case and answered in its official spelling', async () => {
    const id = await create({ timezone: 'america/NEW_york' });
    const zone = async () => (await asAdmin('GET', `/off-work-times/${id}`)).body.data.timezone;
    expect(await zone()).toBe('America/New_York');
    await asAdmin('PATCH', `/off-work-times/${id}`, { timezone: 'Europe/Kyiv' });
    expect(await zone()).toBe('Europe/Kyiv');
    await asAdmin('DELETE', `/off-work-times/${id}`);
  });

  test('a rule that does not exist has no calendar', async () => {
    expect((await send('999', calendar(LUNCH))).status).toBe(404);
    expect((await asAdmin('GET', '/off-work-times/999:getCalendar')).status).toBe(404);
  });
});
