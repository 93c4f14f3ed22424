import { closeSync, openSync } from 'node:fs';

/** Creates an empty file that only its owner may read. An existing file keeps its mode. */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
}
