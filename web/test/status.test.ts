import { expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

describePage('status', () => {
  const { open, origin, call, engine } = usePage();

  test('findings, engine, stores, records and the log are shown; the address can filter the log', async () => {
    await call('POST', '/employees', { number: '201', user_username: 'E', sip_secret: 'secret-of-201' });
    await eventually(() => expect(engine.served.extensions.length).toBe(1));
    // A failed login of a phone adds a line to the log.
    engine.failAuth({ category: 'sip', address: '192.0.2.66', account: '201' });
    const { version } = await call('GET', '/system:getInfo');
    const page = await open('/status');
    await page.getByRole('heading', { name: 'Checks' }).waitFor();
    await page.getByText(`pbxcore ${version}`).waitFor();
    await page.getByText('SQLite ·').waitFor();
    await page.getByRole('log').getByText('192.0.2.66').first().waitFor();
    await expectAccessible(page);
    await picture(page, 'status');
    await page.getByLabel('Contains').fill('no such text anywhere');
    await page.getByText('No matching lines.').waitFor();
    expect(page.url()).toContain('contains=no+such+text+anywhere');
    await page.goto(`${origin()}/status?level=nonsense&source=%3Cimg%3E&contains=`);
    await page.getByRole('log').getByText('192.0.2.66').first().waitFor();
  });

  test('a backup is saved as a file, after its contents are listed', async () => {
    const page = await open('/status');
    await page.getByRole('button', { name: 'Backup' }).click();
    await page.getByText('It holds every secret').waitFor();
    await expectAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.tar\.gz$/);
    await page.getByText('The backup was downloaded').waitFor();
  });

  test('the screen works narrow and dark, in German', async () => {
    const page = await open('/status', { viewport: NARROW, scheme: 'dark', language: 'de' });
    await page.getByRole('heading', { name: 'Prüfungen' }).waitFor();
    await page.getByText('SQLite ·').waitFor();
    await expectAccessible(page);
    await picture(page, 'status-narrow-dark');
  });
});
