import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD } from '../make-app.ts';
import { availablePairs, useApp } from './use-app.ts';

interface Line {
  readonly at: string;
  readonly level: string;
  readonly source: string;
  readonly text: string;
  readonly fields: Record<string, unknown>;
}

describe.each(availablePairs)('contract 35.3: system:getLog ($name)', ({ open }) => {
  const running = useApp(open, { PBXCORE_LOG_LEVEL: 'debug' });
  const log = async (query = ''): Promise<Line[]> =>
    (await running.asAdmin('GET', `/system:getLog${query}`)).body.data;
  const engineLog = () => join(running.app.config.telephony.stateDir, 'log', 'messages.log');
  const engineLine = (time: string, rest: string) => `[2026-05-04 ${time}.000 +0200] ${rest}\n`;

  beforeAll(async () => {
    await mkdir(join(running.app.config.telephony.stateDir, 'log'), { recursive: true });
    await writeFile(
      engineLog(),
      engineLine('10:00:00', 'NOTICE[1] res_pjsip.c: a phone came') +
        engineLine('10:00:01', 'ERROR[1] chan.c: no such codec'),
    );
    const wrong = { login: 'nobody-of-this-name', password: 'not-the-password' };
    await running.call('POST', '/auth:login', { body: wrong });
    await running.asAdmin('GET', '/no-such-path');
  });

  test('lines of both logs are listed with time, level, source, text and fields, oldest first', async () => {
    const lines = await log();
    expect(lines.slice(0, 2)).toEqual([
      {
        at: '2026-05-04T08:00:00.000Z',
        level: 'info',
        source: 'engine',
        text: 'res_pjsip.c: a phone came',
        fields: {},
      },
      {
        at: '2026-05-04T08:00:01.000Z',
        level: 'error',
        source: 'engine',
        text: 'chan.c: no such codec',
        fields: {},
      },
    ]);
    expect(lines.some(({ source }) => source === 'service')).toBe(true);
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).sort());
  });

  test('source, level, contains and lines narrow it down', async () => {
    const engine = await log('?source=engine');
    expect(engine.map(({ text }) => text)).toEqual(['res_pjsip.c: a phone came', 'chan.c: no such codec']);
    expect(await log('?source=engine&level=warn')).toEqual([engine[1]]);
    expect(await log('?contains=A%20PHONE')).toEqual([engine[0]]);
    const service = await log('?source=service');
    expect(new Set(service.map(({ source }) => source))).toEqual(new Set(['service']));
    expect(await log('?lines=1&source=engine')).toEqual([engine[1]]);
    expect(await log('?contains=nobody-logged-this')).toEqual([]);
  });

  test('a new line appears at the next request, in its place', async () => {
    await appendFile(engineLog(), engineLine('10:00:02', 'WARNING[1][C-0000000a] chan.c: <b>late</b>'));
    expect((await log('?source=engine')).at(-1)).toMatchObject({
      level: 'warn',
      text: 'chan.c: <b>late</b>',
    });
  });

  test('no secret sent with a request is in it', async () => {
    const { text } = await running.asAdmin('GET', '/system:getLog?lines=1000');
    for (const secret of [ADMIN_PASSWORD, 'not-the-password', await running.app.admin()])
      expect(text).not.toContain(secret);
  });

  test.each([
    ['lines=0', 'lines: must be 1..1000 (got 0)'],
    ['lines=1001', 'lines: must be 1..1000 (got 1001)'],
    ['lines=many', 'lines: must be an integer'],
    ['level=loud', 'level: must be one of trace, debug, info, warn, error, fatal'],
    ['source=../../etc/passwd', 'source: must be one of service, engine'],
    ['contains=', 'contains: must not be empty'],
    [`contains=${'x'.repeat(201)}`, 'contains: at most 200 characters (got 201)'],
  ])('%s is 400, with the bounds', async (query, says) => {
    expect(await running.asAdmin('GET', `/system:getLog?${query}`)).toMatchObject({
      status: 400,
      body: { messages: { error: [says] } },
    });
  });
});
