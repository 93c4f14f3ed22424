import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildModule } from '../../src/cli/module/build.ts';
import { packageFiles } from '../../src/cli/module/package-files.ts';
import { writeZip } from '../../src/cli/module/zip-writer.ts';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { installModule } from '../../src/module-host/folder/install-module.ts';
import { readZip } from '../../src/module-host/folder/module-archive.ts';
import type { ModuleLimits } from '../../src/module-host/process/limits.ts';
import type { Answer, CallOptions, Stores } from '../make-app.ts';
import { useApp } from './use-app.ts';

/** Runs the service with a module of `examples`, packed and installed as an operator would. */
export function useExample(
  folder: string,
  id: string,
  open: () => Promise<Stores>,
  settings: object | undefined = undefined,
  limits: Partial<ModuleLimits> = {},
) {
  const modulesDir = mkdtempSync(join(tmpdir(), 'pbxcore-examples-'));
  const engine = createFakeEngine();
  beforeAll(async () => {
    const source = join(import.meta.dirname, '../../../examples', folder);
    await buildModule(source);
    const files = readZip(writeZip(await packageFiles(source)));
    const check = async () => ({ id, version: '1.0.0' });
    await installModule({ modulesDir, files, check, find: async () => undefined, replace: false });
  });
  const held = useApp(
    open,
    { PBXCORE_MODULES_DIR: modulesDir, PBXCORE_LOG_LEVEL: 'warn' },
    engine,
    {},
    limits,
  );
  beforeAll(async () => {
    if (settings) await done(held.asAdmin('PATCH', `/modules/${id}`, { settings }));
    await done(held.asAdmin('POST', `/modules/${id}:enable`));
  });
  afterAll(() => rm(modulesDir, { recursive: true, force: true }));

  async function done(answer: Promise<Answer>): Promise<void> {
    const { status, text } = await answer;
    expect(status, text).toBe(200);
  }

  const root = `/module-${folder}`;
  return {
    held,
    engine,
    root,
    /** As administrator, below the module. */
    async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
      return held.call(method, root + path, { token: await held.app.admin(), ...options });
    },
  };
}

/** A ringing call from outside. */
export const incomingLeg = (id: string, number: string, startedAt: number) => ({
  id,
  linkedId: id,
  startedAt,
  answeredAt: null,
  source: { channel: 'PJSIP/trunk', number, name: '' },
  destination: { channel: 'PJSIP/201', number: '201', name: 'Front desk' },
  did: '4930555',
});
