import { open, readFile, rename } from 'node:fs/promises';
import type { EndedLeg, MemberSwitched, NightSwitched } from '../../events.ts';
import type { JournalPlace } from './journal.ts';
import type { LegsState, OpenRecording } from './legs-state.ts';
import type { RecordingFinishedEvent } from './recordings.ts';

/** What the service has to remember to go on reading the journal where it stopped. */
export interface JournalPosition {
  readonly version: 1;
  readonly place: JournalPlace | undefined;
  readonly legs: LegsState;
  /** Calls that are over, whose files were not complete yet. */
  readonly closing: readonly OpenRecording[];
  /** Reported, but not yet known to be in the database: they are reported again. */
  readonly unstored: readonly Unstored[];
  /** When the engine was last seen alive, while there were calls. */
  readonly aliveAt: number;
}

export type Unstored =
  | { readonly type: 'leg-ended'; readonly leg: EndedLeg }
  | RecordingFinishedEvent
  | NightSwitched
  | MemberSwitched;

type Versioned = Pick<JournalPosition, 'version' | 'place'>;

/** `undefined`: there is none, or none that can be read; then the journal is read from its beginning. */
export async function readPosition<T extends Versioned = JournalPosition>(
  file: string,
): Promise<T | undefined> {
  try {
    const position = JSON.parse(await readFile(file, 'utf8')) as T;
    return position.version === 1 ? position : undefined;
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function writePosition(file: string, position: Versioned | JournalPosition): Promise<void> {
  // Serialized at once: the state changes while files are opened.
  const text = JSON.stringify(position);
  const temporary = `${file}.new`;
  // Names and numbers of callers are private.
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
