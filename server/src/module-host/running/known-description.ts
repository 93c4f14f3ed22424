import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundModule } from '../folder/module-folder.ts';

interface KnownParts {
  readonly found: FoundModule;
  /** Of the module. It cannot write there by itself. */
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly pbx: { readonly version: string };
}

interface Known {
  readonly key: string;
  /** What it said about itself. */
  readonly json: string;
  /** It does more than wait for calls. */
  readonly isAwake: boolean;
}

/**
 * What a module said about itself when it was last started. With the same files, settings and exchange it would say the
 * same: one that only waits for calls need not be started to be asked.
 */
export function createKnownDescription({ found, dataDir, settings, pbx }: KnownParts) {
  const file = join(dataDir, 'described.json');
  const facts = [pbx.version, process.version, found.fingerprint, settings];
  const key = createHash('sha256').update(JSON.stringify(facts)).digest('hex');

  return {
    async read(): Promise<Omit<Known, 'key'> | undefined> {
      try {
        const known = JSON.parse(await readFile(file, 'utf8')) as Known;
        return known.key === key ? known : undefined;
      } catch {
        return undefined; // none, or none that can be read: it is asked again
      }
    },

    /** Without it the module is asked at the next start. */
    async write(known: Omit<Known, 'key'>): Promise<void> {
      try {
        await writeFile(`${file}.new`, JSON.stringify({ key, ...known }), { mode: 0o600 });
        await rename(`${file}.new`, file);
      } catch {}
    },
  };
}
