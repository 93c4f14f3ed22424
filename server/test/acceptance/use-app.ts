import { afterAll, beforeAll } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import type { PasswordCost } from '../../src/features/access/auth/passwords.ts';
import type { CdrLimits } from '../../src/features/telephony/cdr/limits.ts';
import type { ModuleLimits } from '../../src/module-host/process/limits.ts';
import {
  type Answer,
  type CallOptions,
  makeApp,
  openEmbedded,
  type Stores,
  storePairs,
  type TestApp,
} from '../make-app.ts';
import { createDocumentCheck } from './document-check.ts';

export const availablePairs = storePairs.filter(({ available }) => available);

/** Runs the service for the surrounding `describe`; checks each answer against the OpenAPI document. */
export function useApp(
  open: () => Promise<Stores> = openEmbedded,
  settings: Record<string, string> = {},
  engine?: Engine,
  cdrLimits: Partial<CdrLimits> = {},
  moduleLimits: Partial<ModuleLimits> = {},
  passwordCost?: PasswordCost,
) {
  let stores: Stores;
  let app: TestApp;
  let check: ReturnType<typeof createDocumentCheck>;

  beforeAll(async () => {
    stores = await open();
    app = await makeApp(stores, settings, engine, moduleLimits, cdrLimits, passwordCost);
    check = createDocumentCheck(app.app.routes);
  });
  afterAll(async () => {
    await app?.close();
    await stores?.stop();
  });

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await app.call(method, path, options);
    check(method, path, answer);
    return answer;
  }

  return {
    get app() {
      return app;
    },
    get stores() {
      return stores;
    },
    call,
    /** As the administrator. */
    async asAdmin(method: string, path: string, body?: unknown): Promise<Answer> {
      return call(method, path, { token: await app.admin(), ...(body !== undefined && { body }) });
    },
    /** A key with exactly these grants. */
    async keyFor(allowed_paths: Record<string, string>, fields: object = {}): Promise<string> {
      return (await app.createKey({ allowed_paths, ...fields })).key;
    },
  };
}
