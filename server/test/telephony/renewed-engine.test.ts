import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type BundleRecord, readBundle, writeRecord } from '../../src/engine/asterisk/installation/bundle.ts';
import { BUNDLE_DIR } from '../real/engine-bundle.ts';
import { soon } from '../real/soon.ts';
import { openExchange, telephonyAvailable } from './exchange.ts';

describe.skipIf(!telephonyAvailable())('a renewed engine', () => {
  test('the running engine continues; the next start, even after a kill, replaces it with the new one', async () => {
    const bundleDir = await mkdtemp(join(tmpdir(), 'pbxcore-renewed-'));
    onTestFinished(() => rm(bundleDir, { recursive: true, force: true }));
    const { root, record } = readBundle(BUNDLE_DIR)!;
    for (const name of ['root', 'root-0000000a']) symlinkSync(root, join(bundleDir, name));
    const before: BundleRecord = { ...record, root: 'root' };
    writeFileSync(join(bundleDir, 'bundle.json'), JSON.stringify(before));
    const exchange = await openExchange({ PBXCORE_ASTERISK_BUNDLE_DIR: bundleDir });
    onTestFinished(() => exchange.close());
    const startedFrom = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const old = await exchange.enginePid();

    await writeRecord(bundleDir, { ...before, root: 'root-0000000a', fetchedAt: new Date().toISOString() });
    await exchange.hire({ number: '201' });
    expect(await exchange.enginePid()).toBe(old);
    expect(startedFrom(old)).toContain(join(bundleDir, 'root', 'usr'));

    await exchange.service.kill();
    await exchange.service.start();
    await exchange.engineUp(old);
    expect(startedFrom(await exchange.enginePid())).toContain(join(bundleDir, 'root-0000000a', 'usr'));
    // Its parent has ended too; the process that adopted it may take a moment to reap it.
    await soon(() => expect(() => process.kill(old, 0)).toThrow('ESRCH'));
  });
});
