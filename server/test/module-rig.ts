import { afterAll, beforeAll } from 'vitest';
import type { Engine } from '../src/engine/engine.ts';
import type { CdrLimits } from '../src/features/telephony/cdr/limits.ts';
import type { ModuleLimits } from '../src/module-host/process/limits.ts';
import {
  type Answer,
  type CallOptions,
  makeApp,
  openEmbedded,
  type Stores,
  type TestApp,
} from './make-app.ts';
import { type ModulesDir, makeModulesDir } from './module-fixtures.ts';

interface RigOptions {
  readonly open?: () => Promise<Stores>;
  readonly settings?: Record<string, string>;
  readonly engine?: Engine;
  readonly limits?: Partial<ModuleLimits>;
  readonly cdrLimits?: Partial<CdrLimits>;
  /** Writes the modules before the service starts. */
  readonly write?: (dir: ModulesDir) => Promise<unknown>;
  readonly enable?: readonly string[];
}

/** The service with a folder of modules, for the surrounding `describe`. */
export function useModules(options: RigOptions = {}) {
  let stores: Stores;
  let dir: ModulesDir;
  let app: TestApp;

  beforeAll(async () => {
    stores = await (options.open ?? openEmbedded)();
    dir = await makeModulesDir();
    await options.write?.(dir);
    const settings = { ...dir.settings, ...options.settings };
    app = await makeApp(stores, settings, options.engine, options.limits, options.cdrLimits);
    for (const id of options.enable ?? []) {
      const answer = await asAdmin('POST', `/modules/${id}:enable`);
      if (answer.status !== 200) throw new Error(`${id} cannot be enabled: ${answer.text}`);
    }
  });
  afterAll(async () => {
    await app?.close();
    await dir?.remove();
    await stores?.stop();
  });

  async function asAdmin(
    method: string,
    path: string,
    body?: unknown,
    more: CallOptions = {},
  ): Promise<Answer> {
    return app.call(method, path, { token: await app.admin(), ...(body !== undefined && { body }), ...more });
  }

  return {
    get app() {
      return app;
    },
    get dir() {
      return dir;
    },
    get stores() {
      return stores;
    },
    asAdmin,
    call: (method: string, path: string, more: CallOptions = {}) => app.call(method, path, more),
    /** Below `/pbxcore/api`, outside v3. */
    outside: (method: string, path: string, more: CallOptions = {}) => app.call(method, `/..${path}`, more),
    keyFor: async (allowed_paths: Record<string, string>, more: object = {}): Promise<string> =>
      (await app.createKey({ allowed_paths, ...more })).key,
  };
}
