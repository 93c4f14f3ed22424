import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundModule } from '../folder/module-folder.ts';

interface KnownParts {
  readonly found: FoundModule;
  /** Of the module, which cannot write there itself. */
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly pbx: { readonly version: string };
}

interface Known {
  readonly key: string;
  /** Its description of itself. */
  readonly json: string;
  /** It does more than wait for calls. */
  readonly isAwake: boolean;
}

/**
 * A module's description of itself from its last start. With the same files, settings and exchange it would not change:
 * one that only waits for calls need not be started to get it.
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
        return undefined; // missing or unreadable: the module is asked again
      }
    },

    /** If it fails, the module is asked at the next start. */
    async write(known: Omit<Known, 'key'>): Promise<void> {
      try {
        await writeFile(`${file}.new`, JSON.stringify({ key, ...known }), { mode: 0o600 });
        await rename(`${file}.new`, file);
      } catch {}
    },
  };
}
