import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readSound } from '../real/tone.ts';
import { toneFile, upload } from './sound-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

const DAY = 24 * 3600 * 1000;

describe.each(availablePairs)('contract 24: sound files ($name)', ({ open }) => {
  const running = useApp(open);
  const files = async () =>
    (await readdir(running.app.config.soundsDir)).filter((name) => !name.startsWith('.'));
  const get = async (path: string) => (await running.asAdmin('GET', path)).body.data;
  const fetchBytes = async (url: string, headers = {}) => {
    const response = await fetch(new URL(url, running.app.origin), { headers });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  test('M5: a new installation has an attention tone that can be played', async () => {
    const [first] = await get('/sound-files');
    expect(first).toMatchObject({
      id: '1',
      name: 'Attention tone',
      category: 'custom',
      path: 'sound-files/1',
      duration: '00:01',
      seconds: 1.2,
      usedBy: [],
    });
    const { bytes } = await fetchBytes(first.playback_url);
    const sound = await readSound(bytes);
    for (const hz of [659, 784, 1047]) expect(sound.strength(hz)).toBeGreaterThan(1000);
    const { bytes: original } = await fetchBytes(first.download_url, {
      authorization: `Bearer ${await running.app.admin()}`,
    });
    expect(original.length).toBe(first.fileSize);
  });

  test('24.1: a sound may be created without audio, with a warning', async () => {
    const answer = await running.asAdmin('POST', '/sound-files', { name: 'Later' });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        data: {
          category: 'custom',
          normalize: true,
          path: '',
          fileSize: 0,
          duration: '00:00',
          playback_url: null,
        },
        messages: { warning: ['the sound has no audio yet, nobody hears anything where it is used'] },
      },
    });
    expect(await running.asAdmin('GET', `/sound-files/${answer.body.data.id}:download`)).toMatchObject({
      status: 404,
    });
  });

  test.each([
    [{}, 'name: required'],
    [{ name: '' }, 'name: must not be empty'],
    [{ name: 'x'.repeat(201) }, 'name: at most 200 characters (got 201)'],
    [{ name: 'x', description: 'x'.repeat(501) }, 'description: at most 500 characters (got 501)'],
    [{ name: 'x', category: 'system' }, 'category: must be one of custom, moh'],
  ])('fields are checked: %j', async (body, problem) => {
    expect(await running.asAdmin('POST', '/sound-files', body)).toMatchObject({
      status: 400,
      body: { messages: { error: [problem] } },
    });
  });

  test.each(['form', 'audio/wav'])(
    '24.4, 24.5: an upload (%s) is stored as it was sent and can be played at once',
    async (way) => {
      const wave = toneFile(440, 0.5, 44_100);
      const sending =
        way === 'form' ? { fileName: 'C:\\sounds\\Grüße.wav' } : { fields: { name: 'Grüße' }, type: way };
      const answer = await upload(running.app, wave, sending);
      expect(answer).toMatchObject({
        status: 201,
        body: {
          data: {
            name: 'Grüße',
            category: 'custom',
            normalize: true,
            fileSize: wave.length,
            duration: '00:01',
            seconds: 0.5,
            uploadedAt: new Date(running.app.now()).toISOString(),
          },
        },
      });
      const { id, sound_file_id, playback_url, download_url, path } = answer.body.data;
      expect([sound_file_id, path]).toEqual([id, `sound-files/${id}`]);
      const made = ['alaw', 'g722', 'original', 'ulaw', 'wav', 'wav16'].map((ending) => `${id}-r1.${ending}`);
      expect((await files()).filter((name) => name.startsWith(`${id}-`)).sort()).toEqual(made);

      const played = await fetchBytes(playback_url);
      expect(Object.fromEntries(played.response.headers)).toMatchObject({
        'content-type': 'audio/wav',
        'content-disposition': 'inline',
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
      });
      expect((await readSound(played.bytes)).strength(440)).toBeGreaterThan(1000);
      const authorization = `Bearer ${await running.app.admin()}`;
      expect((await fetchBytes(download_url)).response.status).toBe(401);
      const original = await fetchBytes(download_url, { authorization });
      expect(original.bytes.equals(wave)).toBe(true);
      expect(original.response.headers.get('content-disposition')).toBe(
        `attachment; filename="sound_${id}.wav"`,
      );
    },
  );

  test('one range is honoured, and a playback address is valid for an hour only', async () => {
    const { playback_url: url } = (await upload(running.app, toneFile())).body.data;
    const part = await fetchBytes(url, { range: 'bytes=0-43' });
    expect([part.response.status, part.response.headers.get('content-range')]).toEqual([
      206,
      'bytes 0-43/4844',
    ]);
    expect(part.bytes.toString('latin1', 0, 4)).toBe('RIFF');
    expect((await fetchBytes(url, { range: 'bytes=9999-' })).response.status).toBe(416);
    const head = await fetch(new URL(url, running.app.origin), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '4844']);
    expect(await running.call('GET', '/sound-files:playback')).toMatchObject({ status: 400 });
    expect(await running.call('GET', `/sound-files:playback?token=${'0'.repeat(32)}`)).toMatchObject({
      status: 403,
    });
    await running.app.advance(3600_000);
    expect((await fetchBytes(url)).response.status).toBe(403);
  });

  test('24.6: new audio is played at once, and the old audio is deleted a day later', async () => {
    const { id } = (await upload(running.app, toneFile(440), { fields: { name: 'Changing' } })).body.data;
    const second = await upload(running.app, toneFile(1000, 0.8), { fields: { id } });
    expect(second).toMatchObject({ status: 200, body: { data: { id, name: 'Changing', seconds: 0.8 } } });
    const { bytes } = await fetchBytes(second.body.data.playback_url);
    expect((await readSound(bytes)).strength(1000)).toBeGreaterThan(1000);
    const of = async (revision: number) =>
      (await files()).filter((name) => name.startsWith(`${id}-r${revision}.`)).length;
    expect([await of(1), await of(2)]).toEqual([6, 6]);
    await running.app.advance(DAY);
    await running.app.restart();
    await expect.poll(() => of(1), { timeout: 20_000 }).toBe(0);
    expect(await of(2)).toBe(6);
    expect(await upload(running.app, toneFile(), { fields: { id: '999999' } })).toMatchObject({
      status: 404,
    });
  });

  test('24.4: normalize can be changed later, and the files are made again from the original', async () => {
    const wave = toneFile(440, 0.5, 8000);
    const { id } = (await upload(running.app, wave, { fields: { normalize: 'false' } })).body.data;
    const heard = async () => {
      const { bytes } = await fetchBytes((await get(`/sound-files/${id}`)).playback_url);
      return bytes.subarray(44);
    };
    expect((await heard()).equals(wave.subarray(44))).toBe(true);
    const answer = await running.asAdmin('PATCH', `/sound-files/${id}`, { normalize: true });
    expect(answer).toMatchObject({ status: 200, body: { data: { normalize: true } } });
    expect((await heard()).equals(wave.subarray(44))).toBe(false);
    await running.asAdmin('PATCH', `/sound-files/${id}`, { normalize: false, name: 'As it was' });
    expect((await heard()).equals(wave.subarray(44))).toBe(true);
  });

  test('lists are filtered, searched and sorted, and choices contain the sounds of one category', async () => {
    await upload(running.app, toneFile(), { fields: { name: 'Zither', category: 'moh' } });
    await upload(running.app, toneFile(), { fields: { name: 'Accordion', category: 'moh' } });
    const names = async (query: string) =>
      (await get(`/sound-files${query}`)).map(({ name }: { name: string }) => name);
    expect(await names('?category=moh')).toEqual(['Accordion', 'Zither']);
    expect(await names('?category=moh&order=id&orderWay=desc')).toEqual(['Accordion', 'Zither']);
    expect(await names('?search=ITHE')).toEqual(['Zither']);
    const choice = await get('/sound-files:getForSelect?category=moh');
    expect(choice.map(({ text }: { text: string }) => text)).toEqual(['Accordion', 'Zither']);
    const { id } = choice[0];
    expect(choice[0]).toEqual({
      value: id,
      text: 'Accordion',
      name: 'Accordion',
      id,
      category: 'moh',
      path: `sound-files/${id}`,
      represent: 'Accordion',
    });
    const custom = await get('/sound-files:getForSelect');
    expect(custom.map(({ name }: { name: string }) => name)).not.toContain('Zither');
  });

  test('a deleted sound is gone, and a deleted tone does not come back', async () => {
    const { playback_url } = await get('/sound-files/1');
    expect(await running.asAdmin('DELETE', '/sound-files/1')).toMatchObject({
      body: { data: { deleted_id: '1' } },
    });
    expect((await fetchBytes(playback_url)).response.status).toBe(404);
    for (const { id } of await get('/sound-files')) await running.asAdmin('DELETE', `/sound-files/${id}`);
    await running.app.restart();
    expect(await get('/sound-files')).toEqual([]);
  });
});
