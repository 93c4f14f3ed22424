import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { findConfinement } from './confinement.ts';

test('confinement is tried out as it is used: without the environment of the service', async () => {
  const usual = await findConfinement(900);
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-confinement-'));
  for (const name of ['prlimit', 'setpriv'])
    writeFileSync(join(folder, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  vi.stubEnv('PATH', folder);
  try {
    expect((await findConfinement(901)).holds).toEqual(usual.holds);
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});
