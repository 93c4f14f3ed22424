import { expect, test } from 'vitest';
import { choose } from './choose.ts';
import { HOSTILE } from './hostile.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

const unreadable = (at: number): string[] => [
  'BEGIN:VEVENT',
  `UID:unreadable-${at}`,
  `SUMMARY:Unreadable ${at}`,
  'DTSTART;VALUE=DATE:20200106',
  'RRULE:FREQ=MONTHLY;BYDAY=1MO',
  'END:VEVENT',
];

/** A yearly holiday, and one with a rule that is not supported. */
const HOLIDAYS = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:1',
  'SUMMARY:Christmas',
  'DTSTART;VALUE=DATE:20201225',
  'DTEND;VALUE=DATE:20201227',
  'RRULE:FREQ=YEARLY',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'UID:2',
  'SUMMARY:First Monday',
  'DTSTART;VALUE=DATE:20200106',
  'RRULE:FREQ=MONTHLY;BYDAY=1MO',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

describePage('opening hours', () => {
  const { open, call } = usePage();

  test('a night is created in the form, the week shows it, and the switch overrides all rules', async () => {
    await call('POST', '/employees', {
      number: '201',
      user_username: 'Anna Meyer',
      sip_secret: 'only-for-this-1',
    });
    const page = await open('/opening-hours', { provoked: [422] });
    await page.getByText('The line is always open').waitFor();
    await page.getByText('Now: open', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'New rule' }).first().click();
    await page.getByLabel('Name').fill('Night');
    await choose(page.getByRole('combobox', { name: 'Target' }), 'Anna Meyer <201>', 'anna');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('needs dates, weekdays or times').waitFor();
    await choose(page.getByRole('combobox', { name: 'Weekday from' }), 'Monday');
    await choose(page.getByRole('combobox', { name: 'to', exact: true }), 'Friday');
    await page.getByRole('switch', { name: 'Whole days' }).press('Space');
    await page.getByText('Past midnight: until 09:00 the next morning.').waitFor();
    await picture(page, 'opening-hours-rule');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Night' }).waitFor();

    // 2026-05-04 is a Monday.
    await page.goto(`${new URL(page.url()).origin}/opening-hours?week=2026-05-06`);
    await page.getByRole('img', { name: 'Sunday, May 10: open all day' }).waitFor();
    await call('POST', '/off-work-times', {
      description: HOSTILE,
      weekday_from: 6,
      weekday_to: 7,
      time_from: '',
      time_to: '',
      extension: 'busy',
    });
    await page
      .getByRole('img', { name: 'Monday, May 4, closed: 00:00–09:00 (Night), 18:00–24:00 (Night)' })
      .waitFor();
    await page.getByRole('img', { name: /^Sunday, May 10, closed: 00:00–24:00/ }).waitFor();
    await page.getByText('Monday – Friday, 18:00 – 09:00').waitFor();
    expect(await page.title()).not.toBe('owned');
    await picture(page, 'opening-hours-wide-light');
    await expectAccessible(page);

    await choose(page.getByRole('combobox', { name: 'By hand' }), 'until midnight');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText(/^Closed by hand until/).waitFor();
    await page.getByText(/^Now: closed until/).waitFor();
    expect(await call('GET', '/off-work-times:getState')).toMatchObject({
      state: 'closed',
      override: { mode: 'closed' },
    });
    await picture(page, 'opening-hours-by-hand');
    await page.getByRole('button', { name: 'Back to the rules' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
    expect(await call('GET', '/off-work-times:getState')).toMatchObject({ override: null });
  });

  test('in a narrow window, dark and in German, holidays come from a calendar file', async () => {
    const rule = await call('POST', '/off-work-times', {
      description: 'Holidays',
      calType: 'ical',
      extension: '201',
    });
    const page = await open(`/opening-hours/${rule.id}`, {
      viewport: NARROW,
      scheme: 'dark',
      language: 'de',
    });
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Kalenderdatei einlesen' }).click(),
    ]);
    await chooser.setFiles({ name: 'days.ics', mimeType: 'text/calendar', buffer: Buffer.from(HOLIDAYS) });
    await page.getByText('1 Ereignis der Datei zählt.').waitFor();
    await page.getByText(/^First Monday/).waitFor();
    await page.getByRole('cell', { name: 'Christmas' }).first().waitFor();
    await picture(page, 'opening-hours-calendar-narrow-dark');
    await expectAccessible(page);
    await page
      .getByRole('link', { name: 'Öffnungszeiten' })
      .or(page.getByRole('button', { name: 'Abbrechen' }))
      .last()
      .click();
    await page.getByRole('link', { name: 'Holidays' }).waitFor();
    await page.getByRole('img', { name: /^Montag/ }).waitFor();
    await picture(page, 'opening-hours-narrow-dark');
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  test('a calendar that is not yet read, or unreadable, is not shown as empty', async () => {
    const { id } = await call('POST', '/off-work-times', {
      description: 'Works days',
      calType: 'ical',
      extension: '201',
    });
    await call('POST', `/off-work-times/${id}:importCalendar`, { ics: HOLIDAYS });
    const page = await open('/opening-hours', { provoked: [500] });
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    let fails = true;
    await page.route(`**/off-work-times/${id}:getCalendar`, async (route) => {
      ask();
      await held;
      if (fails) await route.fulfill({ status: 500, json: {} });
      else await route.continue();
    });
    await page.getByRole('link', { name: 'Works days' }).click();
    const calendar = page.getByRole('group', { name: 'Calendar' });
    await calendar.getByRole('button', { name: 'Import a calendar file' }).waitFor();
    await asked;
    expect(await calendar.getByText('no upcoming calendar events').count()).toBe(0);
    letGo();
    await calendar.getByRole('alert').waitFor();
    expect(await calendar.getByText('no upcoming calendar events').count()).toBe(0);
    await expectAccessible(page);
    fails = false;
    await calendar.getByRole('button', { name: 'Try again' }).click();
    await calendar.getByRole('cell', { name: 'Christmas' }).first().waitFor();
  });

  test('the number of ignored events is shown even if there are many', async () => {
    const { id } = await call('POST', '/off-work-times', {
      description: 'Much',
      calType: 'ical',
      extension: '201',
    });
    const many = Array.from({ length: 40 }, (_, at) => unreadable(at));
    const file = HOLIDAYS.replace('END:VCALENDAR', [...many.flat(), 'END:VCALENDAR'].join('\r\n'));
    const page = await open(`/opening-hours/${id}`);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import a calendar file' }).click(),
    ]);
    await chooser.setFiles({ name: 'days.ics', mimeType: 'text/calendar', buffer: Buffer.from(file) });
    const result = page.getByRole('status').filter({ hasText: 'These do not' });
    await result.waitFor();
    expect(await result.getByRole('listitem').count()).toBe(10);
    await result.getByText('and 31 more').waitFor();
    await picture(page, 'opening-hours-calendar-skipped');
    await expectAccessible(page);
  });
});
