import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { insertLegs, leg, writeRecording } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

const BYTES = 'RIFF-0123456789';

describe.each(availablePairs)('on $name', ({ open }) => {
  const held = useApp(open);
  const urlsOf = async (linkedid: string) => {
    const [record] = (await held.asAdmin('GET', `/cdr/${linkedid}`)).body.data.records;
    const relative = (url: string) => url.replace('/pbxcore/api/v3', '');
    return { ...record, playback: relative(record.playback_url), download: relative(record.download_url) };
  };

  beforeAll(async () => {
    const { stores } = held;
    const data = stores.settings.PBXCORE_DATA_DIR as string;
    await writeRecording(stores, 'a.wav', BYTES);
    await writeRecording(stores, 'b.MP3', BYTES);
    await writeRecording(stores, 'empty.ogg', '');
    await writeRecording(stores, 'notes.txt', BYTES);
    await writeFile(join(data, 'secret.wav'), 'secret');
    await mkdir(join(data, 'recordings', 'folder.wav'));
    await symlink(join(data, 'secret.wav'), join(data, 'recordings', 'link.wav'));
    const names = {
      good: 'a.wav',
      absolute: join(data, 'recordings', 'a.wav'),
      mp3: 'b.MP3',
      empty: 'empty.ogg',
      missing: 'none.wav',
      text: 'notes.txt',
      up: '../secret.wav',
      outside: join(data, 'secret.wav'),
      link: 'link.wav',
      folder: 'folder.wav',
      device: '/dev/zero.wav',
      long: `${'x'.repeat(5000)}.wav`,
    };
    for (const [name, recordingfile] of Object.entries(names))
      await insertLegs(
        stores,
        leg({
          linkedid: `${name}.x`,
          src_num: '+49 (30) 1"\r\n',
          dst_num: '2;01',
          start: '2026-05-04 09:08:07.123',
          recordingfile,
        }),
      );
  });

  test('a recording is played with its token alone', async () => {
    const { playback, recordingfile } = await urlsOf('good.x');
    expect(recordingfile).toBe('a.wav');
    expect(playback).toMatch(/^\/cdr:playback\?token=[0-9a-f]{32}$/);
    for (const headers of [
      {},
      { authorization: 'Bearer nonsense' },
      { range: 'bytes=0-1,4-5' },
      { range: 'x' },
    ]) {
      const answer = await held.call('GET', playback, { headers });
      expect([answer.status, answer.text]).toEqual([200, BYTES]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'accept-ranges': 'bytes',
        'content-type': 'audio/wav',
        'content-length': '15',
        'content-disposition': 'inline',
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  test('the file name of a download has only the digits of numbers and time', async () => {
    const { download } = await urlsOf('good.x');
    expect((await held.call('GET', download)).headers.get('content-disposition')).toBe(
      'attachment; filename="call_49301_to_201_20260504-090807.wav"',
    );
    const mp3 = await held.call('GET', (await urlsOf('mp3.x')).download);
    expect(mp3.headers.get('content-type')).toBe('audio/mpeg');
    expect(mp3.headers.get('content-disposition')).toContain('.mp3"');
  });

  test('an absolute name inside the folder is served, and so is an empty file', async () => {
    expect((await held.call('GET', (await urlsOf('absolute.x')).playback)).text).toBe(BYTES);
    const empty = await held.call('GET', (await urlsOf('empty.x')).playback);
    expect([empty.status, empty.text, empty.headers.get('content-length')]).toEqual([200, '', '0']);
  });

  test.each([
    ['bytes=0-1', 206, 'RI', 'bytes 0-1/15'],
    ['bytes=13-', 206, '89', 'bytes 13-14/15'],
    ['bytes=-2', 206, '89', 'bytes 13-14/15'],
    ['bytes=10-999', 206, '56789', 'bytes 10-14/15'],
  ])('%s is %i', async (range, status, text, contentRange) => {
    const { playback } = await urlsOf('good.x');
    const answer = await held.call('GET', playback, { headers: { range } });
    expect([answer.status, answer.text, answer.headers.get('content-range')]).toEqual([
      status,
      text,
      contentRange,
    ]);
    const head = await held.call('HEAD', playback, { headers: { range } });
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      status,
      '',
      String(text.length),
    ]);
  });

  test('a range beyond the end is 416 with the size', async () => {
    const { playback } = await urlsOf('good.x');
    for (const range of ['bytes=15-', 'bytes=99-100', 'bytes=-0']) {
      const answer = await held.call('GET', playback, { headers: { range } });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */15']);
      expect(answer.body.result).toBe(false);
    }
  });

  test('HEAD has the headers and no body', async () => {
    const head = await held.call('HEAD', (await urlsOf('good.x')).download);
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '15']);
  });

  test.each(['missing', 'text', 'up', 'outside', 'link', 'folder', 'device', 'long'])(
    'a stored name that is %s has no recording',
    async (name) => {
      const record = await urlsOf(`${name}.x`);
      expect([record.recordingfile, record.playback_url, record.download_url]).toEqual(['', '', '']);
    },
  );

  test('a file name that becomes invalid after the listing is 404', async () => {
    await insertLegs(held.stores, leg({ linkedid: 'turned.x', recordingfile: 'a.wav' }));
    const { playback, id } = await urlsOf('turned.x');
    const { createOutsider } = await import('../outsider.ts');
    await createOutsider(held.stores).sql(
      `update cdr_general set recordingfile = '../secret.wav' where id = ${id}`,
    );
    expect((await held.call('GET', playback)).status).toBe(404);
    await held.asAdmin('DELETE', `/cdr/${id}`);
    expect((await held.call('GET', playback)).status).toBe(404);
  });

  test('no token is 400, an unknown one is 403, and other parameters are ignored', async () => {
    expect((await held.call('GET', '/cdr:playback')).status).toBe(400);
    expect((await held.call('GET', '/cdr:playback?token=')).status).toBe(400);
    const { playback } = await urlsOf('good.x');
    for (const token of [
      '0'.repeat(32),
      'f'.repeat(32),
      'x',
      "' or 1=1",
      playback.slice(-32).toUpperCase(),
      `${playback.slice(-32)}0`,
    ])
      expect((await held.call('GET', `/cdr:playback?token=${encodeURIComponent(token)}`)).status).toBe(403);
    const more = await held.call('GET', `${playback}&file=../secret.wav&format=mp3&view=/etc/passwd`);
    expect(more.text).toBe(BYTES);
  });

  test('each listing has its own tokens, which work repeatedly for an hour, even after a restart', async () => {
    const { playback } = await urlsOf('good.x');
    expect((await urlsOf('good.x')).playback).not.toBe(playback);
    await held.app.advance(3_599_000);
    expect((await held.call('GET', playback)).status).toBe(200);
    await held.app.restart();
    expect((await held.call('GET', playback)).status).toBe(200);
    await held.app.advance(1000);
    expect((await held.call('GET', playback)).status).toBe(403);
  });
});
