import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeModulesDir, manifestOf } from '../module-fixtures.ts';
import { realPart } from '../real/require-real.ts';
import type { Attempt } from '../real/short-of-descriptors.process.ts';

const PROGRAM = fileURLToPath(new URL('../real/short-of-descriptors.process.ts', import.meta.url));
const PRLIMIT = '/usr/bin/prlimit';
/** More than Node opens by itself. */
const DESCRIPTORS = 100;

/** Starts something repeatedly, with more free descriptors each time. */
async function startsOf(what: string, place: string): Promise<Attempt[]> {
  const words = [`--nofile=${DESCRIPTORS}`, process.execPath, PROGRAM, what, place];
  const child = spawn(PRLIMIT, words, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const attempts: Attempt[] = [];
  let errors = '';
  child.on('message', (attempt) => attempts.push(attempt as Attempt));
  child.stderr?.on('data', (chunk) => (errors += chunk));
  const [code] = await once(child, 'close');
  expect(`${code} ${errors}`, 'it went on to the end').toBe('0 ');
  return attempts;
}

describe.skipIf(!realPart('prlimit', existsSync(PRLIMIT)))('out of descriptors', () => {
  let folder: string;
  let modules: Awaited<ReturnType<typeof makeModulesDir>>;
  let places: Readonly<Record<string, string>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pbxcore-descriptors-'));
    modules = await makeModulesDir();
    places = { module: await modules.write(manifestOf('Short')), search: join(folder, 'empty.sqlite') };
    await writeFile(join(folder, 'empty.sqlite'), '');
  });
  afterAll(async () => {
    await modules?.remove();
    await rm(folder, { recursive: true });
  });

  test.each([
    ['module', /^BrokenModule: it could not be started: |^Error: EMFILE: .*scandir/],
    ['confinement', /^Error: spawn \w+ EMFILE$/],
    ['program', /^Error: spawn true EMFILE$/],
    ['search', /^StoreUnavailable: /],
  ])('a %s that cannot be started is refused, and works later', async (what, refusal) => {
    const [first, second, ...others] = await startsOf(what, places[what] ?? '');
    expect(first?.outcome).toMatch(refusal);
    expect(second).toEqual({ left: null, outcome: 'done', lost: 0 });
    for (const { left, outcome } of others)
      if (outcome !== 'done') expect(outcome, `with ${left} left`).toMatch(refusal);
    expect(others.at(-1)?.outcome).toBe('done');
    // Node itself leaks a process's pipes if all of them could be created but not the one that reports its start; this
    // happens with two of these numbers.
    const losing = others.filter(({ lost }) => lost > 0);
    expect(losing.length, JSON.stringify(losing)).toBeLessThanOrEqual(2);
  });
});
