import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder whose disk can be made to refuse every write of a process, and to accept writes again. */
export interface Disk {
  readonly folder: string;
  refuse(pid: number): void;
  heal(pid: number): void;
  remove(): void;
}

function limitedDisk(): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-full-'));
  const limit = (pid: number, size: string) =>
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:`]);
  return {
    folder,
    refuse: (pid) => limit(pid, '0'),
    heal: (pid) => limit(pid, 'unlimited'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const SMALL_BYTES = 4 * 1024 * 1024;

function smallDisk(): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_BYTES},mode=0700`, 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    folder,
    refuse() {
      try {
        // More than fits, so that it takes every free byte.
        writeFileSync(filler, Buffer.alloc(2 * SMALL_BYTES));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    heal: () => rmSync(filler),
    remove() {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function works(make: () => Disk): boolean {
  try {
    make().remove();
    execFileSync('prlimit', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** Every kind of full disk that this machine can make. */
export const disks = [
  { name: 'takes no byte more (file size limit)', make: limitedDisk, available: works(limitedDisk) },
  { name: 'is full (a small tmpfs; needs the right to mount)', make: smallDisk, available: works(smallDisk) },
];
