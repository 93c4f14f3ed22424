import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { toneFile, upload } from './sound-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

const UNKNOWN = 'send PCM WAV; the page converts by itself';

describe.each(availablePairs)('contract 24: uploads of sounds ($name)', ({ open }) => {
  const running = useApp(open);
  const stored = async () => (await readdir(running.app.config.soundsDir).catch(() => [])).sort();
  const tone = toneFile();

  test.each<[string, number, string, Uint8Array, string | undefined]>([
    ['an MP3 in a form', 415, UNKNOWN, Buffer.from('ID3\x04\0\0\0 and so on'), undefined],
    ['an MP3 by its type', 415, UNKNOWN, Buffer.from('ID3\x04\0\0\0 and so on'), 'audio/mpeg'],
    ['JSON', 415, UNKNOWN, Buffer.from('{}'), 'application/json'],
    ['an empty file', 400, 'file: is empty', new Uint8Array(), 'audio/wav'],
    ['a file that was cut', 400, 'file: promises more than there is', tone.subarray(0, 3000), 'audio/wav'],
    ['a file without samples', 400, 'file: holds no samples', toneFile(440, 0), 'audio/wav'],
    [
      'a file of a twentieth of a second',
      400,
      'file: must last 0.1..1800 s (got 0.05)',
      toneFile(440, 0.05),
      'audio/wav',
    ],
    ['a form without boundary', 400, 'the form has no boundary', tone, 'multipart/form-data'],
    ['a form that was cut', 400, 'the form is incomplete', tone, 'multipart/form-data; boundary=xyz'],
  ])('24.3: %s is %i', async (_, status, reason, bytes, type) => {
    const before = await stored();
    const answer = await upload(running.app, bytes, type === undefined ? {} : { type });
    expect(answer).toMatchObject({ status, body: { messages: { error: [reason] } } });
    expect(await stored()).toEqual(before);
  });

  test('24.3: a file that claims more data than it has is refused, and one over 50 MiB is 413', async () => {
    const lying = Buffer.from(tone);
    lying.writeUInt32LE(0xffffffff, 40);
    expect(await upload(running.app, lying)).toMatchObject({ status: 400 });
    const large = await upload(running.app, Buffer.concat([tone, Buffer.alloc(50 * 1024 * 1024)]));
    expect(large).toMatchObject({
      status: 413,
      body: { messages: { error: ['file: larger than 52428800 bytes'] } },
    });
    const larger = await upload(running.app, Buffer.alloc(51 * 1024 * 1024), { type: 'audio/wav' });
    expect(larger.status).toBe(413);
  });

  test('fields of a form and of a query are checked in the same way, and unknown ones are named', async () => {
    for (const type of [undefined, 'audio/wav']) {
      const sending = { fields: { category: 'system', id: 'x' }, ...(type && { type }) };
      expect(await upload(running.app, tone, sending)).toMatchObject({
        status: 400,
        body: { messages: { error: ['id: must be digits', 'category: must be one of custom, moh'] } },
      });
    }
    const fields = { colour: 'blue', resumableTotalChunks: '1', resumableFilename: 'x' };
    expect(await upload(running.app, tone, { fields })).toMatchObject({
      status: 201,
      body: { messages: { warning: ['colour: unknown field, ignored'] } },
    });
  });

  test('a form without a file, and one sent in pieces, is 400', async () => {
    expect(await upload(running.app, undefined, { fields: { name: 'x' } })).toMatchObject({
      status: 400,
      body: { messages: { error: ['file: required'] } },
    });
    expect(await upload(running.app, tone, { fields: { resumableTotalChunks: '2' } })).toMatchObject({
      status: 400,
      body: { messages: { error: ['file: must come in one piece'] } },
    });
  });

  test('a key that may only read may not upload, but may play and download', async () => {
    const { id, playback_url } = (await upload(running.app, tone)).body.data;
    const key = await running.keyFor({ '/api/v3/sound-files': 'read' });
    expect((await upload(running.app, tone, { key })).status).toBe(403);
    const headers = { authorization: `Bearer ${key}` };
    const url = `${running.app.origin}/pbxcore/api/v3/sound-files/${id}:download`;
    expect((await fetch(url, { headers })).status).toBe(200);
    expect((await fetch(new URL(playback_url, running.app.origin))).status).toBe(200);
  });

  test('of concurrent uploads for one sound exactly one remains, complete', async () => {
    const { id } = (await upload(running.app, tone)).body.data;
    const seconds = [0.2, 0.4, 0.6, 0.8];
    const answers = await Promise.all(
      seconds.map((length) => upload(running.app, toneFile(440, length), { fields: { id } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await running.asAdmin('GET', `/sound-files/${id}`);
    const { fileSize, playback_url } = body.data;
    expect(seconds).toContain(body.data.seconds);
    expect(fileSize).toBe(44 + 32_000 * body.data.seconds);
    const played = await fetch(new URL(playback_url, running.app.origin));
    expect((await played.arrayBuffer()).byteLength).toBe(44 + 16_000 * body.data.seconds);
  });

  test('a client that disconnects during an upload leaves nothing behind', async () => {
    // Without the list of unused files, which the service writes in the background after the test before.
    const files = async () => (await stored()).filter((name) => !name.startsWith('.unused.json'));
    const before = await files();
    const gone = new AbortController();
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(tone));
        return new Promise((resolve) => setTimeout(resolve, 5));
      },
    });
    const sent = fetch(`${running.app.origin}/pbxcore/api/v3/sound-files:uploadFile`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await running.app.admin()}`, 'content-type': 'audio/wav' },
      body,
      duplex: 'half',
      signal: gone.signal,
    } as RequestInit);
    const hasBegun = async () => (await stored()).some((name) => name.startsWith('.upload-'));
    await expect.poll(hasBegun, { timeout: 20_000 }).toBe(true);
    gone.abort();
    await expect(sent).rejects.toThrow();
    await expect.poll(files, { timeout: 20_000 }).toEqual(before);
  });
});
