import { join } from 'node:path';
import { readBundle } from '../../src/engine/asterisk/installation/bundle.ts';

/** The Asterisk that tests run: the product's own bundle, fetched once for all tests by `npm test`. */
export interface EngineBundle {
  /** The command, up to its arguments. */
  readonly words: readonly string[];
  readonly modulesDir: string;
  readonly shareDir: string;
}

export const BUNDLE_DIR =
  process.env.PBXCORE_TEST_BUNDLE ?? join(import.meta.dirname, '../../../node_modules/.cache/pbxcore-engine');

export function findBundle(): EngineBundle | undefined {
  const bundle = readBundle(BUNDLE_DIR);
  if (!bundle) return undefined;
  const { runner, modulesDir, shareDir } = bundle;
  return { words: [runner.program, ...runner.args], modulesDir, shareDir };
}

export function requireBundle(): EngineBundle {
  const bundle = findBundle();
  if (!bundle) throw new Error(`there is no engine in ${BUNDLE_DIR}`);
  return bundle;
}
