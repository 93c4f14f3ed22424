import { closeSync, openSync } from 'node:fs';

/** Creates an empty file that only its owner may read. One that exists keeps what its owner chose. */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
}
