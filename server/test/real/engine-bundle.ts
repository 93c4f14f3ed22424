import { globSync } from 'node:fs';
import { join } from 'node:path';
import { runnerOf } from '../../src/engine/asterisk/bundle.ts';

/** The Asterisk that tests run: the product's own bundle, fetched once for all of them by `npm test`. */
export interface EngineBundle {
  /** The command, up to its arguments. */
  readonly words: readonly string[];
  readonly modulesDir: string;
  readonly shareDir: string;
}

export const BUNDLE_DIR =
  process.env.PBXCORE_TEST_BUNDLE ?? join(import.meta.dirname, '../../../node_modules/.cache/pbxcore-engine');

export function findBundle(): EngineBundle | undefined {
  const runner = runnerOf(BUNDLE_DIR);
  const [modulesDir] = globSync(join(BUNDLE_DIR, 'root/usr/lib/*/asterisk/modules'));
  if (!runner || !modulesDir) return undefined;
  const shareDir = join(BUNDLE_DIR, 'root/usr/share/asterisk');
  return { words: [runner.program, ...runner.args], modulesDir, shareDir };
}

export function requireBundle(): EngineBundle {
  const bundle = findBundle();
  if (!bundle) throw new Error(`there is no engine in ${BUNDLE_DIR}`);
  return bundle;
}
