import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogOutput, type LogSink } from './log-output.ts';

const since = Date.UTC(2026, 4, 4, 8, 11, 12);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** An output with a sink that the test controls; nothing is written before `take` or `fail`. */
function rig({ room = 1000 } = {}) {
  const taken: string[] = [];
  const attempts: [Buffer, Parameters<LogSink>[1]][] = [];
  const output = createLogOutput({
    sink: (bytes, done) => void attempts.push([bytes, done]),
    clock: { now: () => since },
    onLost: (loss) => output.write(`lost ${loss.lines} since ${loss.since}\n`),
    room,
  });
  const turn = () => vi.advanceTimersByTimeAsync(0);
  return {
    output,
    attempts,
    taken: () => taken.join(''),
    turn,
    async take(most = Number.POSITIVE_INFINITY) {
      await turn();
      const [bytes, done] = attempts.shift() ?? expect.fail('nothing was written');
      const part = bytes.subarray(0, most);
      taken.push(part.toString());
      done(null, part.length);
    },
    async fail(code: string) {
      await turn();
      attempts.shift()?.[1](Object.assign(new Error(code), { code }), 0);
    },
  };
}

test('lines of one turn go out in one write, and later lines follow in order when it is done', async () => {
  const { output, attempts, take, taken, turn } = rig();
  output.write('one\n');
  output.write('two\n');
  await turn();
  output.write('three\n');
  expect(attempts).toHaveLength(1);
  await take();
  expect(taken()).toBe('one\ntwo\n');
  await take(2);
  await take();
  expect(taken()).toBe('one\ntwo\nthree\n');
  expect(attempts).toEqual([]);
});

test.each(['ENOSPC', 'EAGAIN', 'EPIPE', 'EIO'])(
  'after %s the same bytes are written again, and nothing is lost while there is room',
  async (code) => {
    const { output, fail, take, taken } = rig();
    output.write('one\n');
    for (let i = 0; i < 3; i++) {
      await fail(code);
      output.write(`${i}\n`);
      await vi.advanceTimersByTimeAsync(1000);
    }
    await take();
    await take();
    expect(taken()).toBe('one\n0\n1\n2\n');
  },
);

test('without room lines are dropped and counted, and the count appears where they are missing', async () => {
  const { output, fail, take, taken } = rig({ room: 100 });
  const line = `${'x'.repeat(9)}\n`;
  output.write(line);
  await fail('ENOSPC');
  for (let i = 0; i < 17; i++) output.write(line);
  await vi.advanceTimersByTimeAsync(1000);
  await take();
  await take();
  await take();
  output.write('after\n');
  await take();
  expect(taken()).toBe(`${line.repeat(11)}lost 7 since 2026-05-04T08:11:12.000Z\nafter\n`);
});

test('a line longer than the room is written if nothing else waits, otherwise it is lost and counted', async () => {
  const { output, take, taken } = rig({ room: 100 });
  const long = `${'x'.repeat(101)}\n`;
  output.write(long);
  await take();
  output.write('one\n');
  output.write(long);
  await take();
  await take();
  expect(taken()).toBe(`${long}one\nlost 1 since 2026-05-04T08:11:12.000Z\n`);
});

test('finishing waits for the last lines, but not for ever', async () => {
  const { output, take } = rig();
  expect(await output.finish(1000)).toBe(true);
  output.write('one\n');
  const out = output.finish(1000);
  await take();
  expect(await out).toBe(true);
  output.write('two\n');
  const late = output.finish(1000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await late).toBe(false);
});
