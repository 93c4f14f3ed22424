import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What one run of the service leaves to the next. */
export interface Trail {
  /** Modules at work, and what they are doing. */
  readonly atWork: ReadonlyMap<string, string>;
  /** Modules that have a process. */
  readonly running: ReadonlySet<string>;
  /** Modules suspected after an earlier exit and not tried since. */
  readonly suspects: ReadonlyMap<string, string>;
  /** Times at which the exchange ended while a module was at work, by module. */
  readonly ends: ReadonlyMap<string, readonly number[]>;
}

/** The file that lists the modules at work. Without a path, nothing is stored. */
export function createSuspectFile(path: string | undefined, onError: (error: unknown) => void) {
  return {
    read: (): Trail => (path === undefined ? trailOf({}) : trailOf(readObject(path))),

    write({ atWork, running, suspects, ends }: Trail): void {
      if (path === undefined) return;
      const text = JSON.stringify({
        underWay: [...atWork.keys()],
        doing: Object.fromEntries(atWork),
        running: [...running],
        suspects: Object.fromEntries(suspects),
        ends: Object.fromEntries(ends),
      });
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        // The exchange may end in the middle of writing.
        writeFileSync(`${path}.new`, text, { mode: 0o600 });
        renameSync(`${path}.new`, path);
      } catch (error) {
        onError(error);
      }
    },

    remove(): void {
      if (path !== undefined) rmSync(path, { force: true });
    },
  };
}

function readObject(path: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {};
  }
}

function trailOf(noted: Record<string, unknown>): Trail {
  const doing = textsOf(noted.doing);
  return {
    // Earlier versions noted calls only.
    atWork: new Map(namesOf(noted.underWay).map((id) => [id, doing.get(id) ?? 'at a call'])),
    running: new Set(namesOf(noted.running)),
    suspects: textsOf(noted.suspects),
    ends: new Map(
      Object.entries(objectOf(noted.ends)).map(([id, times]) => [
        id,
        Array.isArray(times) ? times.map(Number) : [],
      ]),
    ),
  };
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const textsOf = (value: unknown): Map<string, string> =>
  new Map(Object.entries(objectOf(value)).map(([id, text]) => [id, String(text)]));
