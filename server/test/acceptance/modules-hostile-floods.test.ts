import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { SAY } from '../hostile-attempts.ts';
import { useHostile } from '../hostile-rig.ts';

const run = promisify(execFile);
/** The contract promises two seconds; this machine may be busy with other tests. */
const DISABLED_MS = 30_000;
/** A separate program, so that its work is not counted as the service's. */
const CROWD = `const ask = () => fetch(process.argv[1], { headers: { 'x-evil': '1' } }).then(async (answer) => {
    await answer.arrayBuffer();
    return answer.status;
  }, () => 'cut off');
  Promise.all(Array.from({ length: 1000 }, ask)).then((all) =>
    console.log(JSON.stringify(all.reduce((counts, one) => ({ ...counts, [one]: (counts[one] ?? 0) + 1 }), {}))));`;

describe('a module that never stops is bounded and can be disabled at any moment', () => {
  // The limits of this rig end none of these modules.
  const { install, call, evil, meanwhile, running, recordOf } = useHostile();

  async function disable(id: string): Promise<void> {
    const began = performance.now();
    const { status, body } = await running.asAdmin('POST', `/modules/${id}:disable`);
    const took = performance.now() - began;
    console.log(`${id}: disabled after ${took.toFixed(0)} ms`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ disabled: true, disableReason: 'DisabledByUser' });
    expect(took).toBeLessThan(DISABLED_MS);
    expect((await call(id)).status).toBe(404);
  }

  test.each([
    ['Loops', '() => { for (;;); }'],
    [
      'SqlLoops',
      '({ sql }) => sql.all("with recursive c(n) as (select 1 union all select n + 1 from c) select count(*) from c")',
    ],
    ['Regexes', '() => [/^(a+)+$/.test("a".repeat(60) + "b")]'],
    ['Sleeps', '() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'],
    [
      'Floods',
      '({ log }) => new Promise(() => { const flood = () => { for (let i = 0; i < 1000; i++) log.info("x".repeat(2000)); setImmediate(flood); }; flood(); })',
    ],
    [
      'Asks',
      '({ store }) => new Promise(() => { const flood = () => { for (let i = 0; i < 1000; i++) store.get("x").catch(() => {}); setImmediate(flood); }; flood(); })',
    ],
    [
      'Writes',
      `() => new Promise(() => { const fs = process.getBuiltinModule('fs'); const head = JSON.stringify({ t: 'log', level: 'info', text: 'x', json: '' });
        const frame = Buffer.alloc(8 + head.length); frame.writeUInt32LE(4 + head.length); frame.writeUInt32LE(head.length, 4); frame.write(head, 8);
        const all = Buffer.concat(Array(500).fill(frame)); let at = 0;
        const flood = () => { try { for (;;) { at = (at + fs.writeSync(3, all, at)) % all.length; } } catch {} setImmediate(flood); }; flood(); })`,
    ],
    [
      'Heads',
      `() => new Promise(() => { ${SAY} let n = 0; const heads = Array.from({ length: 200 }, () => '{"t":"pong","x":[' + Array.from({ length: 240 }, () => '{"k' + n++ + '":0}') + ']}');
        const flood = () => { for (const head of heads) say(head); setImmediate(flood); }; flood(); })`,
    ],
    ['Timers', '() => new Promise(() => { for (let i = 0; i < 20000; i++) setInterval(() => {}, 1); })'],
    ['Prints', '() => { for (;;) console.log("x".repeat(1000)); }'],
  ])('%s', async (id, deed) => {
    await install(id, deed);
    void evil(id).catch(() => {});
    await meanwhile(id, async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await disable(id);
    });
  });

  test('a thousand slow calls at once keep nobody else waiting', async () => {
    await install('Slow', '() => new Promise((resolve) => setTimeout(() => resolve([1]), 300))');
    const url = `${running.app.origin}/pbxcore/api/v3/module-slow/x`;
    const counts = await meanwhile('a thousand calls', async () => {
      const { stdout } = await run(process.execPath, ['--eval', CROWD, url]);
      return JSON.parse(stdout) as Record<string, number>;
    });
    console.log(counts);
    expect(['200', '503', 'cut off']).toEqual(expect.arrayContaining(Object.keys(counts)));
    expect(counts['200'] ?? 0).toBeGreaterThan(0);
    expect((await call('Slow')).status).toBe(200);
  });

  test('a module whose folder is removed while it runs harms nobody and can be disabled', async () => {
    await install('Gone', '() => [1]');
    await meanwhile('a removed folder', async () => {
      await rm(join(running.dir.path, 'Gone'), { recursive: true });
      // It read everything it needs at its start.
      expect((await call('Gone')).status).toBe(200);
      const { status, body } = await running.asAdmin('POST', '/modules/Gone:disable');
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ disabled: true, broken: { enabled: false } });
      expect((await call('Gone')).status).toBe(404);
    });
    expect((await recordOf('Demo')).disabled).toBe(false);
  });
});
