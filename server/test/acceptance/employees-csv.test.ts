import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createOutsider } from '../outsider.ts';
import { createEmployeeRig } from './employee-rig.ts';
import { makeOddEmployees } from './odd-employees.ts';
import { availablePairs, useApp } from './use-app.ts';

const MINIMAL = 'number,user_username,user_email,mobile_number';
const EARLIER = `${MINIMAL},sip_transport,sip_dtmfmode,sip_enableRecording,sip_networkfilterid,fwd_ringlength,fwd_forwarding,fwd_forwardingonbusy,fwd_forwardingonunavailable`;
const STANDARD = `${EARLIER},outgoing_callerid,call_class`;
const FULL = `${EARLIER},sip_secret,sip_manualattributes,mobile_dialstring,sip_media_encryption,outgoing_callerid,call_class`;

describe.each(availablePairs)('contract 3.5: CSV of employees on $name', ({ open }) => {
  const running = useApp(open);
  const { made, clear, nextNumber } = createEmployeeRig(running);
  afterEach(clear);
  beforeAll(async () => {
    await createOutsider(running.stores).sql('insert into "m_NetworkFilters" (id) values (7)');
  });
  const exported = (body: object = {}) => running.asAdmin('POST', '/employees:export', body);
  const preview = (csv: string, strategy?: string) =>
    running.asAdmin('POST', '/employees:import', { csv, strategy });
  const confirm = (upload_id: string, strategy?: string) =>
    running.asAdmin('POST', '/employees:confirmImport', { upload_id, strategy });
  const employees = async () => {
    const { data } = (await running.asAdmin('GET', '/employees?order=number')).body.data;
    const records = [];
    for (const { id } of data) records.push((await running.asAdmin('GET', `/employees/${id}`)).body.data);
    return records;
  };

  test.each([
    ['minimal', MINIMAL],
    ['standard', STANDARD],
    ['full', FULL],
    [undefined, STANDARD],
  ])('format %s has its columns', async (format, header) => {
    await made();
    const { status, headers, text } = await exported({ format });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
    expect(headers.get('content-disposition')).toBe('attachment; filename="employees.csv"');
    expect(text.split('\r\n')[0]).toBe(header);
    expect(text.split('\r\n')).toHaveLength(3);
    const template = await running.asAdmin('POST', '/employees:exportTemplate', { format });
    expect(template.text.split('\r\n')[0]).toBe(header);
    expect(template.text.split('\r\n')).toHaveLength(3);
  });

  test('the template can be imported as it is', async () => {
    const { text } = await running.asAdmin('POST', '/employees:exportTemplate', { format: 'full' });
    expect((await preview(text)).body.data).toMatchObject({ total: 1, toCreate: 1, toFail: 0 });
  });

  test('a filter limits the numbers, compared as numbers', async () => {
    for (const number of ['99', '201', '205', '1000']) await made({ number });
    const numbers = async (filter: object) =>
      (await exported({ format: 'minimal', filter })).text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]);
    expect(await numbers({ number_from: '201', number_to: 999 })).toEqual(['201', '205']);
    expect(await numbers({ number_from: '205' })).toEqual(['205', '1000']);
    expect(await numbers({ number_to: '99' })).toEqual(['99']);
    expect(await numbers({})).toHaveLength(4);
    for (const filter of ['x', [], { number_from: 'x' }, { number_to: -1 }]) {
      expect(await exported({ filter })).toMatchObject({ status: 400 });
    }
  });

  test('cells that a spreadsheet would run are neutralised', async () => {
    await made({ user_username: '=HYPERLINK("http://x")', mobile_number: '+4930', mobile_dialstring: '@x' });
    const { text } = await exported({ format: 'full' });
    expect(text).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(text).toContain(',+4930,');
    expect(text).toContain(",'@x");
  });

  test('a full export can be imported again without a difference, with or without existing employees', async () => {
    await makeOddEmployees(made);
    const [before, { text }] = [await employees(), await exported({ format: 'full' })];
    const over = await preview(text, 'update_existing');
    expect(over.body.data).toMatchObject({ total: 18, toUpdate: 18, toCreate: 0, toSkip: 0, toFail: 0 });
    const done = await confirm(over.body.data.upload_id);
    expect(done.body.data).toEqual({ total: 18, imported: 0, updated: 18, skipped: 0, failed: [] });
    expect(await employees()).toEqual(before);

    await clear();
    const anew = await preview(text);
    expect(anew.body.data).toMatchObject({ toCreate: 18, toFail: 0 });
    expect((await confirm(anew.body.data.upload_id)).body.data).toMatchObject({ imported: 18, failed: [] });
    const withoutId = (records: object[]) => records.map((record) => ({ ...record, id: '' }));
    expect(withoutId(await employees())).toEqual(withoutId(before));
    expect((await exported({ format: 'full' })).text).toBe(text);
  });

  test('a preview shows what would happen to each row and stores nothing', async () => {
    await made({ number: '301' });
    const csv = `${MINIMAL}\r\n301,Old,,\r\n302,New,,\r\n3,Bad,nobody,\r\n302,Twice,,\r\n303,More,,,,\r\n`;
    const { status, body } = await preview(csv);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      upload_id: expect.stringMatching(/^[0-9a-f]{48}$/),
      strategy: 'skip_duplicates',
      total: 5,
      toCreate: 1,
      toUpdate: 0,
      toSkip: 1,
      toFail: 3,
    });
    expect(body.data.rows).toEqual([
      { line: 2, number: '301', user_username: 'Old', status: 'duplicate', errors: [] },
      { line: 3, number: '302', user_username: 'New', status: 'new', errors: [] },
      {
        line: 4,
        number: '3',
        user_username: 'Bad',
        status: 'error',
        errors: ['number: must be 2..8 digits', 'user_email: must be an e-mail address'],
      },
      {
        line: 5,
        number: '302',
        user_username: 'Twice',
        status: 'error',
        errors: ['number: line 3 has it already'],
      },
      {
        line: 6,
        number: '303',
        user_username: 'More',
        status: 'error',
        errors: ['row: more cells than columns'],
      },
    ]);
    expect(await employees()).toHaveLength(1);
  });

  test('the strategy decides what happens to existing numbers', async () => {
    const old = await made({ number: '301', user_email: 'old@example.org', sip_transport: 'tls' });
    const csv = 'number;user_username;user_email;sip_secret\n301;Renamed;;\n302;New;;\n';
    const run = async (strategy: string) => {
      const { upload_id } = (await preview(csv, strategy)).body.data;
      return (await confirm(upload_id, strategy)).body.data;
    };
    const taken = [{ line: 2, errors: ['number: already taken'] }];
    expect(await run('fail_on_duplicate')).toMatchObject({
      imported: 1,
      updated: 0,
      skipped: 0,
      failed: taken,
    });
    expect(await run('skip_duplicates')).toMatchObject({ imported: 0, updated: 0, skipped: 2, failed: [] });
    expect(await run('update_existing')).toMatchObject({ imported: 0, updated: 2, skipped: 0, failed: [] });
    const [first, second] = await employees();
    expect(first).toEqual({ ...old, user_username: 'Renamed', user_email: '' });
    expect(second.sip_secret).toMatch(/^[A-Za-z0-9]{20}$/);
  });

  test('the mask keeps a stored secret and is an error for a new number', async () => {
    const { number } = await made();
    const csv = `number,user_username,sip_secret\n${number},A,XXXXXXXX\n301,B,XXXXXXXX`;
    const { data } = (await preview(csv, 'update_existing')).body;
    expect(data).toMatchObject({ toUpdate: 1, toFail: 1 });
    await confirm(data.upload_id);
    expect(await employees()).toMatchObject([{ user_username: 'A', sip_secret: 'correct-horse' }]);
  });

  test('confirm takes changes since the preview into account', async () => {
    const { upload_id } = (await preview('number,user_username\n301,A\n302,B')).body.data;
    await made({ number: '301' });
    expect((await confirm(upload_id)).body.data).toMatchObject({ imported: 1, skipped: 1 });
  });

  test('an upload can be confirmed once, within 15 minutes and only by its caller', async () => {
    const csv = `number,user_username\n${nextNumber()},A`;
    const upload = async () => (await preview(csv)).body.data.upload_id;
    const once = await upload();
    expect(await confirm(once)).toMatchObject({ status: 200 });
    expect(await confirm(once)).toMatchObject({ status: 404 });
    const other = {
      key: await running.keyFor({ '/api/v3/employees': 'write' }),
      body: { upload_id: await upload() },
    };
    expect(await running.call('POST', '/employees:confirmImport', other)).toMatchObject({ status: 404 });
    expect(await confirm(other.body.upload_id)).toMatchObject({ status: 200 });
    const [early, late] = [await upload(), await upload()];
    await running.app.advance(15 * 60_000 - 1);
    expect(await confirm(early)).toMatchObject({ status: 200 });
    await running.app.advance(1);
    expect(await confirm(late)).toMatchObject({ status: 404 });
    expect(await confirm('nonsense')).toMatchObject({ status: 404 });
    expect(await running.asAdmin('POST', '/employees:confirmImport', {})).toMatchObject({ status: 400 });
  });

  test('a caller has at most 200 uploads waiting; a used or an expired one makes room', async () => {
    await running.app.advance(15 * 60_000);
    const key = await running.keyFor({ '/api/v3/employees': 'write' });
    const body = { csv: 'number,user_username\n301,A' };
    const upload = () => running.call('POST', '/employees:import', { key, body });
    const answers = await Promise.all(Array.from({ length: 200 }, upload));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await upload();
    expect(refused).toMatchObject({ status: 429 });
    expect(refused.headers.get('retry-after')).toBe('900');
    expect(await preview(body.csv), 'somebody else has room').toMatchObject({ status: 200 });
    const upload_id = answers[0]?.body.data.upload_id;
    const confirmed = await running.call('POST', '/employees:confirmImport', { key, body: { upload_id } });
    expect(confirmed.status).toBe(200);
    const both = await Promise.all([upload(), upload(), upload()]);
    expect(both.filter(({ status }) => status === 200).length, 'never more, also at once').toBeLessThan(2);
    await running.app.advance(15 * 60_000);
    expect(await upload()).toMatchObject({ status: 200 });
  });

  test('two confirms of one upload at once: one works', async () => {
    const { upload_id } = (await preview('number,user_username\n301,A')).body.data;
    const answers = await Promise.all([confirm(upload_id), confirm(upload_id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test('import with the action "import" is the same as confirmImport', async () => {
    const { upload_id } = (await preview('number,user_username\n301,A')).body.data;
    const act = (body: object) => running.asAdmin('POST', '/employees:import', { action: 'import', ...body });
    expect(await act({})).toMatchObject({ status: 400 });
    expect((await act({ upload_id })).body.data).toMatchObject({ imported: 1 });
    expect(await act({ upload_id })).toMatchObject({ status: 404 });
  });

  test.each([
    ['text/csv', '\ufeffnumber,user_username\r\n301,Änne\r\n'],
    ['text/csv; charset=utf-8; header=present', 'number\tuser_username\n301\tÄnne'],
    ['text/csv;charset="UTF-8"', '"NUMBER";"User_Username"\r301;"Änne"'],
  ])('%s is read, whatever its delimiter and line ends', async (type, csv) => {
    const answer = await running.call('POST', '/employees:import', {
      token: await running.app.admin(),
      body: csv,
      headers: { 'content-type': type },
    });
    expect(answer.body.data.rows).toEqual([
      { line: 2, number: '301', user_username: 'Änne', status: 'new', errors: [] },
    ]);
  });

  test.each([
    ['', 'csv: is empty'],
    ['number\n201', 'csv: column user_username is missing'],
    ['a,b', 'csv: column number is missing'],
    ['number,user_username,number\n', 'csv: a column appears twice'],
    ['number,user_username\n"201,x', 'csv: line 2: a quote is not closed'],
    [`number,user_username\n${'201,x\n'.repeat(1001)}`, 'csv: at most 1000 rows below the header'],
    [undefined, 'csv: required'],
    [7, 'csv: must be a string'],
  ])('the file %j is 400', async (csv, problem) => {
    const { status, body } = await running.asAdmin('POST', '/employees:import', { csv });
    expect(status).toBe(400);
    expect(body.messages.error[0]).toBe(problem);
  });

  test('a warning names unknown columns, but not those of a record', async () => {
    const { body } = await preview(
      'number,user_username,colour,id,extensions_length,__proto__\n301,A,red,5,3,x',
    );
    expect(body.data.rows[0]).toMatchObject({ status: 'new', errors: [] });
    expect(body.messages.warning).toEqual([
      'csv: unknown column "colour", ignored',
      'csv: unknown column "__proto__", ignored',
    ]);
  });
});
