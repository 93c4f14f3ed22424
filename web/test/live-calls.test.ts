import { expect, test } from 'vitest';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

const party = (number: string, name = '') => ({ number, name, channel: `PJSIP/${number}-1` });

describePage('calls under way', () => {
  const held = usePage();
  const { open, engine } = held;

  const start = (id: string, secondsAgo: number, from: string, name = '') =>
    engine.startLeg({
      id,
      linkedId: `${id}.call`,
      startedAt: Date.now() - secondsAgo * 1000,
      answeredAt: null,
      source: party(from, name),
      destination: party('202', 'Bob'),
      did: '4930100',
    });

  function end(id: string): void {
    engine.endLeg(id, { endedAt: Date.now() });
    engine.endCall(`${id}.call`);
  }

  test('a call appears, is answered, ends, and a filter finds its record', async () => {
    const page = await open('/calls');
    await page.getByText('Nobody is on the phone.').waitFor();
    await page.getByText('There are no calls yet.').waitFor();
    start('a', 9, '+4930777', '<img src=x onerror=alert(1)>');
    start('b', 5, '205');
    const live = page.getByRole('table', { name: 'Calls now' });
    const call = live.getByRole('row').filter({ hasText: '+4930777 <img src=x onerror=alert(1)>' });
    await call.getByText('Ringing').waitFor();
    engine.changeLeg('a', { answeredAt: Date.now(), destination: party('203', 'Carol') });
    await call.getByText('Talking').waitFor();
    await call.getByText('203 Carol').waitFor();
    await expectAccessible(page);
    await picture(page, 'calls-live');
    // A row under the pointer keeps its place and shows that the call has ended.
    await live.getByRole('row').filter({ hasText: '205' }).hover();
    end('a');
    await call.getByText('Ended').waitFor();
    expect(await live.getByRole('row').nth(1).innerText()).toContain('Ended');
    await page.getByRole('heading', { name: 'History' }).hover();
    await call.waitFor({ state: 'hidden' });
    const field = page.getByRole('searchbox', { name: 'Search calls' });
    await field.fill('from:+4930777 disposition:answered');
    await field.press('Enter');
    const history = page.getByRole('table', { name: 'History' });
    await history.getByRole('row').filter({ hasText: '+4930777' }).waitFor();
    end('b');
    await page.getByText('Nobody is on the phone.').waitFor();
  });

  test('the history does not move under the pointer: newly ended calls are offered', async () => {
    const page = await open('/calls');
    const history = page.getByRole('table', { name: 'History' });
    const rows = history.getByRole('row');
    const talk = (id: string, from: string) => {
      start(id, 20, from);
      engine.changeLeg(id, { answeredAt: Date.now() });
      end(id);
    };
    // Pointer and focus are not among the rows, so the call appears at once.
    await history.waitFor();
    talk('c', '+4930100');
    await rows.filter({ hasText: '+4930100' }).waitFor();
    const before = await rows.allInnerTexts();
    await rows.nth(1).hover();
    talk('d', '+4930200');
    talk('e', '+4930300');
    const offer = page.getByRole('button', { name: 'Show 2 new calls' });
    await offer.waitFor();
    expect(await rows.allInnerTexts()).toEqual(before);
    await expectAccessible(page);
    await picture(page, 'calls-offered', { fullPage: false });
    await offer.click();
    await rows.filter({ hasText: '+4930300' }).waitFor();
    await rows.filter({ hasText: '+4930200' }).waitFor();
    await offer.waitFor({ state: 'detached' });
  });

  test('while the engine is away the page says so, and it recovers by itself', async () => {
    const page = await open('/calls', { viewport: NARROW, scheme: 'dark', provoked: [503] });
    await page.getByText('Nobody is on the phone.').waitFor();
    engine.goDown();
    await page.getByText('Active calls cannot be shown right now').waitFor();
    await expectAccessible(page);
    await picture(page, 'calls-engine-away');
    engine.comeUp();
    await page.getByText('Nobody is on the phone.').waitFor();
  });
});
