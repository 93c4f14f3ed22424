import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { choose, openList } from './choose.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

const HOSTILE = `<img src=x onerror="document.title='owned'"> {{count}} $t(app.search) \u202Egpj.exe '"`;

describePage('employees', () => {
  const { open, call, engine, origin } = usePage();
  const create = (number: string, user_username: string, fields: object = {}) =>
    call('POST', '/employees', { number, user_username, sip_secret: 'a-long-secret-1', ...fields });

  beforeAll(async () => {
    await create('201', 'Anna Albers', { user_email: 'anna@example.org', mobile_number: '+4930111201' });
    await create('202', 'Boris Berg', { sip_transport: 'tls', sip_media_encryption: 'sdes' });
    await create('203', HOSTILE.replace('\u202E', ''));
    for (let i = 0; i < 60; i += 20) {
      const employees = Array.from({ length: 20 }, (_, index) => ({
        number: String(300 + i + index),
        user_username: `Colleague ${300 + i + index}`,
        sip_secret: 'a-long-secret-1',
      }));
      await call('POST', '/employees:batchCreate', { employees });
    }
  });

  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  test('the list searches, sorts and pages, all in the address, and a status changes without a reload', async () => {
    const page = await open('/employees');
    await page.getByText('63 entries').waitFor();
    await row(page, 'Anna Albers').getByText('Not registered').waitFor();
    await expect.poll(() => engine.served.extensions.length).toBe(63);
    engine.register('201', { userAgent: 'Desk phone' });
    engine.register('201', { userAgent: 'Mobile phone', address: '192.0.2.11' });
    engine.register('203', { userAgent: HOSTILE.repeat(120), address: '192.0.2.12' });
    await row(page, 'Anna Albers').getByText('Available · 2 devices').waitFor();
    await picture(page, 'employees-wide-light');
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Page 2' }).click();
    await page.waitForURL(/offset=50/);
    await page.getByText('Colleague 359').waitFor();
    await page.getByRole('button', { name: /^Name/ }).click();
    await page.waitForURL(/sort=user_username/);
    await page.getByLabel('Search', { exact: true }).fill('berg');
    await page.getByText('1 entry').waitFor();
    await page.waitForURL(/search=berg/);
    await row(page, 'Boris Berg').getByText('TLS').waitFor();
    await page.goto(`${origin()}/employees?status=available&sort=nonsense&offset=minus`);
    await page.getByText('2 entries').waitFor();
    await page.getByLabel('Search', { exact: true }).fill('nobody of this name');
    await page.getByText('Nobody matches').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('63 entries').waitFor();
    await page.goto(`${origin()}/employees?offset=5000`);
    await page.getByText('Colleague 359').waitFor();
    await page.waitForURL(/offset=50$/);
  });

  test('several employees are deleted and restored, change their transport, and are exported', async () => {
    const page = await open('/employees?search=colleague&sort=number');
    await page.getByLabel('Select 300 Colleague 300').check();
    await page.getByLabel('Select 301 Colleague 301').check();
    const bulk = page.getByRole('region', { name: '2 selected' });
    await bulk.getByRole('button', { name: 'Set transport' }).click();
    await page.getByRole('menuitem', { name: 'UDP + TCP' }).click();
    await page.getByText('2 employees now use UDP + TCP').waitFor();
    await row(page, 'Colleague 301').getByText('UDP + TCP').waitFor();

    await page.getByLabel('Select 300 Colleague 300').check();
    await page.getByLabel('Select 302 Colleague 302').check();
    await bulk.getByRole('button', { name: 'Export' }).click();
    const file = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Names and numbers' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await file).createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trim().split('\r\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(['number', '300', '302']);

    await bulk.getByRole('button', { name: 'Delete' }).click();
    const undo = page.getByRole('alert').filter({ hasText: '2 employees are deleted' });
    await undo.waitFor();
    await page.getByText('58 entries').waitFor();
    await picture(page, 'employees-deleted');
    await undo.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('60 entries').waitFor();
    const { data } = await call('GET', '/employees?search=number:300');
    const restored = await call('GET', `/employees/${data[0].id}`);
    expect(restored).toMatchObject({
      number: '300',
      sip_secret: 'a-long-secret-1',
      sip_transport: 'udp,tcp',
    });
  });

  test('a new employee gets a free number; a taken one is reported while typing, and by the service at the field', async () => {
    const page = await open('/employees/new', { provoked: [409] });
    const number = page.getByLabel('Number', { exact: false }).first();
    await page.getByText('This number is free').waitFor();
    expect(await number.inputValue()).toBe('204');
    await page.getByLabel('Name').fill('Carla Curie');
    await number.fill('202');
    await page.getByText('Taken by Boris Berg <202>').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('already taken').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Carla Curie');
    await number.fill('205');
    await page.getByLabel('Seconds to ring').fill('20');
    await page.getByLabel('Number shown outside').fill('+493055');
    await choose(page.getByRole('combobox', { name: 'May call' }), 'National');
    const target = page.getByRole('combobox', { name: 'When nobody answers' });
    await choose(target, 'Boris Berg <202>', 'boris');
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByRole('button', { name: 'API call' }).click();
    await page.getByText('curl -X POST').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create' }).dblclick();
    await page.getByRole('heading', { name: 'Carla Curie' }).waitFor();
    const { data } = await call('GET', '/employees?search=carla&fields=full');
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      number: '205',
      fwd_ringlength: 20,
      fwd_forwarding: '202',
      outgoing_callerid: '+493055',
      call_class: 'national',
    });
  });

  test('the form shows the devices of an employee and the reasons of failed logins', async () => {
    const { data } = await call('GET', '/employees?search=number:201');
    const page = await open(`/employees/${data[0].id}`, { viewport: NARROW, scheme: 'dark' });
    await expect.poll(() => engine.served.extensions.some(({ number }) => number === '201')).toBe(true);
    engine.register('201', { userAgent: 'Desk phone' });
    engine.failAuth({ address: '198.51.100.7', account: '201', category: 'sip' });
    await page.getByText('Desk phone').waitFor();
    await call('POST', '/firewall:banIp', { ip: '198.51.100.7', seconds: 3600 });
    await page.getByRole('button', { name: 'Why does 198.51.100.7 fail?' }).click();
    await page.getByText('198.51.100.7 is blocked.').waitFor();
    await expectAccessible(page);
    await picture(page, 'employee-narrow-dark');
    await page.getByRole('button', { name: 'Lift the ban' }).click();
    await page.getByText('198.51.100.7 is not blocked').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('198.51.100.7 is blocked.').waitFor();
  });

  test('whoever saves later sees the changes of others and chooses', async () => {
    const { id } = await create('210', 'Dora Dahl');
    const early = await open(`/employees/${id}`, { provoked: [] });
    const late = await open(`/employees/${id}`, { scheme: 'dark' });
    await late.getByLabel('Name').fill('Dora Dahl-Duncker');
    await early.getByLabel('Name').fill('Dora D.');
    await early.getByLabel('E-mail').fill('dora@example.org');
    await early.getByRole('button', { name: 'Save' }).click();
    await early.getByText('Saved').waitFor();
    await picture(early, 'employee-wide-light');
    await expectAccessible(early);

    await late.getByRole('button', { name: 'Save' }).click();
    const told = late
      .getByRole('alert')
      .filter({ hasText: 'Somebody else has changed this in the meantime' });
    await told.getByText('Dora D.', { exact: true }).waitFor();
    await told.getByText('dora@example.org').waitFor();
    await picture(late, 'employee-meanwhile');
    await expectAccessible(late);
    expect(await call('GET', `/employees/${id}`)).toMatchObject({ user_username: 'Dora D.' });
    await told.getByRole('button', { name: 'Continue with this choice' }).click();
    await late.getByRole('button', { name: 'Save' }).click();
    await late.getByText('Saved').waitFor();
    expect(await call('GET', `/employees/${id}`)).toMatchObject({
      user_username: 'Dora Dahl-Duncker',
      user_email: 'dora@example.org',
    });
  });

  test('texts of strangers are shown as plain text', async () => {
    const { data } = await call('GET', '/employees?search=number:203');
    const page = await open(`/employees/${data[0].id}`, { viewport: NARROW });
    await expect.poll(() => engine.served.extensions.some(({ number }) => number === '203')).toBe(true);
    engine.register('203', { userAgent: HOSTILE.repeat(120), address: '192.0.2.12' });
    await page.getByText('gpj.exe').first().waitFor();
    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('img').count()).toBe(0);
    await picture(page, 'employee-hostile');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('button', { name: 'Connect a phone' }).click();
    await page
      .getByRole('dialog', { name: 'Phone account 203' })
      .getByRole('img', { name: /^Code/ })
      .waitFor();
    await picture(page, 'employee-connect', { fullPage: false });
    await page.goto(`${origin()}/employees?search=number:203`);
    await page.getByRole('listitem').filter({ hasText: 'onerror' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  test('the list and the form work in German and Russian, and fit a narrow window', async () => {
    await expect.poll(() => engine.served.extensions.some(({ number }) => number === '201')).toBe(true);
    for (const address of ['192.0.2.10', '192.0.2.11']) engine.register('201', { address });
    const list = await open('/employees?search=01', { viewport: NARROW, scheme: 'dark', language: 'de' });
    await list.getByRole('listitem').filter({ hasText: 'Anna' }).getByText('2 Geräte').waitFor();
    await list.getByLabel('201').check();
    await picture(list, 'employees-narrow-dark');
    await expectAccessible(list);
    const form = await open('/employees/new', { language: 'ru' });
    await form.getByText('Номер свободен').waitFor();
    await openList(form.getByRole('combobox', { name: 'Если занято' }), 'сигнал «занято»');
    await expectAccessible(form);
    await picture(form, 'employee-new-ru');
  });

  test('an import shows the problem of every row beforehand and imports the good rows', async () => {
    const page = await open('/employees/import', { viewport: NARROW, scheme: 'dark', language: 'en' });
    const csv = [
      'number;user_username;sip_transport',
      '401;Änne Öst;udp',
      '2;Too Short;udp',
      '201;Anna Again;udp',
      '402;<b>Bold</b>;smoke',
      '401;Twice;udp',
    ].join('\r\n');
    await page.getByLabel('Choose a file').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv, 'latin1'),
    });
    await page.getByText('Rows: 5 · create: 1 · change: 0 · leave out: 1 · with problems: 3').waitFor();
    await page.getByText('number: must be 2..8 digits').waitFor();
    await page.getByText('number: line 2 has it already').waitFor();
    await expectAccessible(page);
    await picture(page, 'employee-import-narrow-dark');
    await page.getByLabel('Change the employee').check();
    await page.getByText('create: 1 · change: 1').waitFor();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('Created: 1 · changed: 1 · left out: 0 · with problems: 3').waitFor();
    const { data } = await call('GET', '/employees?search=number:401');
    expect(data[0].user_username).toBe('Änne Öst');
    // Another text needs a new preview.
    await page.getByLabel('Content of the file').fill('number;user_username\r\n403;Carl');
    await page.getByText('The import is done').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('Rows: 1 · create: 1').waitFor();
    await page.getByLabel('Content of the file').fill('number;user_username\r\n404;Carl');
    await page.getByText('Rows: 1 · create: 1').waitFor({ state: 'detached' });
  });
});
