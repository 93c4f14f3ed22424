import { EventEmitter } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BodyTypeRefused, ClientGone, InvalidFields, Overloaded } from '../../../lib/errors.ts';
import { pcm16, sine, waveOf } from './audio/waves.suite.ts';
import { type ConversionTask, createConversions } from './conversions.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pbxcore-conversions-'));
});
afterEach(() => rm(dir, { recursive: true }));

async function task(bytes: Uint8Array): Promise<ConversionTask> {
  const source = join(dir, 'original');
  await writeFile(source, bytes);
  return { source, folder: dir, name: 'made', normalize: true };
}
const forever = new AbortController().signal;

/** Threads that end when the test says so. */
function scripted() {
  const threads: (EventEmitter & { terminate(): void; done(seconds: number): void; isEnded: boolean })[] = [];
  const startWorker = (): Worker => {
    const thread = Object.assign(new EventEmitter(), {
      isEnded: false,
      done(seconds: number) {
        thread.emit('message', { seconds });
        thread.emit('exit', 0);
      },
      terminate() {
        thread.isEnded = true;
        thread.emit('exit', 1);
      },
    });
    threads.push(thread);
    return thread as unknown as Worker;
  };
  return { threads, startWorker };
}
const nothing: ConversionTask = { source: '', folder: '', name: '', normalize: true };
/** Waits until everything pending has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a sound is converted in a thread, which produces five files', async () => {
  const wave = waveOf({ rate: 44_100, data: pcm16(sine(440, 44_100, 0.5)) });
  expect(await createConversions().convert(await task(wave), forever)).toEqual({ seconds: 0.5 });
  const names = ['made.alaw', 'made.g722', 'made.ulaw', 'made.wav', 'made.wav16', 'original'];
  expect((await readdir(dir)).sort()).toEqual(names);
  expect((await stat(join(dir, 'made.wav'))).size).toBe(44 + 8000);
});

test('contract 24.3: a file that is no sound is refused by its type, a broken one by its field', async () => {
  const conversions = createConversions();
  await expect(conversions.convert(await task(Buffer.from('ID3 and so on')), forever)).rejects.toThrow(
    new BodyTypeRefused('send PCM WAV; the page converts by itself'),
  );
  const broken = { ...(await task(waveOf({ data: new Uint8Array() }))), name: 'other' };
  await expect(conversions.convert(broken, forever)).rejects.toThrow(
    new InvalidFields('file: holds no samples', ['file']),
  );
});

test('running and waiting conversions are limited; those waiting run in order, and more are refused', async () => {
  const { threads, startWorker } = scripted();
  const conversions = createConversions({ atOnce: 1, mostWaiting: 2, startWorker });
  const first = conversions.convert(nothing, forever);
  const second = conversions.convert(nothing, forever);
  const third = conversions.convert(nothing, forever);
  await expect(conversions.convert(nothing, forever)).rejects.toThrow(Overloaded);
  for (const [i, conversion] of [first, second, third].entries()) {
    await settled();
    expect(threads.length).toBe(i + 1);
    threads[i]?.done(i);
    expect(await conversion).toEqual({ seconds: i });
  }
  const fourth = conversions.convert(nothing, forever);
  await settled();
  threads[3]?.done(4);
  expect(await fourth).toEqual({ seconds: 4 });
});

test('a conversion ends with its request, and one that waits leaves the line', async () => {
  const { threads, startWorker } = scripted();
  const conversions = createConversions({ atOnce: 1, startWorker });
  const [one, two] = [new AbortController(), new AbortController()];
  const first = conversions.convert(nothing, one.signal);
  const second = conversions.convert(nothing, two.signal);
  const third = conversions.convert(nothing, forever);
  await settled();
  two.abort();
  await expect(second).rejects.toThrow(ClientGone);
  one.abort();
  await expect(first).rejects.toThrow(ClientGone);
  expect(threads[0]?.isEnded).toBe(true);
  await settled();
  threads[1]?.done(3);
  expect(await third).toEqual({ seconds: 3 });
});

test('a conversion that takes too long is ended', async () => {
  const { threads, startWorker } = scripted();
  await expect(createConversions({ limitMs: 1, startWorker }).convert(nothing, forever)).rejects.toThrow(
    'takes too long',
  );
  expect(threads[0]?.isEnded).toBe(true);
});

test('a real thread is ended in the middle of its work', async () => {
  const gone = new AbortController();
  const wave = waveOf({ rate: 192_000, data: new Uint8Array(40_000_000) });
  const conversion = createConversions().convert(await task(wave), gone.signal);
  while (!(await readdir(dir)).includes('made.wav')) await settled();
  gone.abort();
  await expect(conversion).rejects.toThrow(ClientGone);
});

test('stopping the service ends all conversions', async () => {
  const { startWorker } = scripted();
  const conversions = createConversions({ atOnce: 1, startWorker });
  const [first, second] = [conversions.convert(nothing, forever), conversions.convert(nothing, forever)];
  await settled();
  conversions.close();
  await expect(first).rejects.toThrow(Overloaded);
  await expect(second).rejects.toThrow();
});
