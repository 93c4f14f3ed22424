import type { Clock } from '../../../lib/clock.ts';
import { EngineAway } from '../../../lib/errors.ts';
import type { ActiveLeg } from '../../engine.ts';
import type { EndedLeg, EngineEvent } from '../../events.ts';
import type { Ami } from '../control/ami.ts';
import type { Site } from '../site.ts';
import { createJoinedRecordings } from './joined-recordings.ts';
import { createJournal } from './journal.ts';
import { parseJournalLine } from './journal-line.ts';
import { readPosition, type Unstored, writePosition } from './journal-position.ts';
import { activeLeg, type LegState } from './leg.ts';
import { createLegs } from './legs.ts';
import { memberSwitched } from './member-switched.ts';
import { nightSwitched } from './night-switched.ts';
import { createRecordings } from './recordings.ts';
import { createSilentProviders } from './silent-providers.ts';

/** How much is read again after a crash of the service: reading is idempotent, so this only costs work. */
const SAVE_MS = 3000;
/** How often to look for legs whose end the engine could not write down, on a full disk for example. */
const LOOK_MS = 60_000;
/** More than accumulate while the database is away. */
const MOST_UNSTORED = 100_000;

interface CallsParts {
  readonly ami: Pick<Ami, 'action' | 'list'>;
  readonly tell: (event: EngineEvent) => void;
  readonly clock: Clock;
  readonly site: Pick<Site, 'journalFile' | 'recordingsDir' | 'timezone'>;
  /** Whether this number's calls are recorded. */
  readonly isRecorded?: (number: string) => boolean;
  /** A provider refused a call because it does not know us. */
  readonly onRefused?: (providerId: string) => void;
  readonly onError: (error: unknown) => void;
  readonly saveMs?: number;
  readonly lookMs?: number;
}

/**
 * Calls, from the journal that the engine writes, followed from the first `reconcile` on, when there are listeners. The
 * reading position is stored beside it, so that each leg is reported, and again only until it is stored.
 */
export function createCalls(parts: CallsParts) {
  const { ami, tell, clock, site, onRefused, onError, saveMs = SAVE_MS, lookMs = LOOK_MS } = parts;
  const { isRecorded = () => false } = parts;
  const positionFile = `${site.journalFile}.position`;
  const unstored = new Map<string, Unstored[]>();
  let opened: ReturnType<typeof openJournal> | undefined;
  let waiting = (): readonly LegState[] => [];
  let isDirty = false;
  let lostAt = 0;
  let lastLineAt = 0;
  let saving: Promise<void> = Promise.resolve();
  let isClosed = false;
  let missing = { ids: new Set<string>(), at: 0 };

  /** A leg's row, then its recording: each is kept until the database has it. */
  function tellKept(event: EngineEvent): void {
    isDirty = true;
    if (event.type === 'leg-ended') keep(event.leg.id, event);
    else if (
      event.type === 'recording-finished' ||
      event.type === 'night-switched' ||
      event.type === 'member-switched'
    )
      keep(event.legId, event);
    tell(event);
  }

  function keep(legId: string, event: Unstored): void {
    const kept = unstored.get(legId);
    if (kept) kept.push(event);
    else unstored.set(legId, [event]);
    const [oldest] = unstored.keys();
    if (unstored.size > MOST_UNSTORED && oldest !== undefined) unstored.delete(oldest);
  }

  async function openJournal() {
    const position = await readPosition(positionFile);
    const recordings = createRecordings({ dir: site.recordingsDir, finished: tellKept, onError });
    const legs = createLegs({
      tell: tellKept,
      recordingClosed: recordings.close,
      joined: createJoinedRecordings({ ami, clock, site, isRecorded, onError }),
      refused: onRefused,
      state: position?.legs,
    });
    waiting = legs.waiting;
    lostAt = Math.max(lostAt, position?.aliveAt ?? 0);
    for (const event of position?.unstored ?? []) tellKept(event);
    for (const recording of position?.closing ?? []) recordings.close(recording);
    const journal = createJournal({
      file: site.journalFile,
      clock,
      onError,
      from: position?.place,
      onLine(text) {
        isDirty = true;
        const line = parseJournalLine(text);
        if (!line || line.isDamaged)
          onError(
            new Error(`the journal of the engine has a line that ${line ? 'was cut' : 'cannot be read'}`),
          );
        if (!line) return;
        lastLineAt = Math.max(lastLineAt, line.at);
        const switched = nightSwitched(line) ?? memberSwitched(line);
        if (switched) tellKept(switched);
        else legs.take(line);
      },
    });
    await journal.catchUp();
    return { legs, journal, recordings };
  }

  const begin = async () => {
    if (isClosed) throw new EngineAway('the service is stopping');
    opened ??= openJournal();
    return opened;
  };

  /** Ignored after closing: a question to the engine, for example, may still have been under way. */
  function save(): Promise<void> {
    if (isClosed) return saving;
    const saved = saving.then(write);
    saving = saved.catch(() => undefined);
    return saved;
  }

  async function write(): Promise<void> {
    const parts = await opened;
    if (!parts) return;
    const isAlive = lostAt === 0 && !parts.legs.isIdle();
    if (!isDirty && !isAlive) return;
    isDirty = false;
    const { legs, journal, recordings } = parts;
    const done = journal.done();
    try {
      // Collected synchronously: the state is exactly the one after the line at the place.
      await writePosition(positionFile, {
        version: 1,
        place: journal.place(),
        legs: legs.state(),
        closing: recordings.closing(),
        unstored: [...unstored.values()].flat(),
        aliveAt: isAlive ? clock.now() : 0,
      });
    } catch (error) {
      isDirty = true;
      throw error;
    }
    await journal.remove(done);
  }

  /** Channels of active legs that the engine does not have. */
  async function goneChannels(): Promise<Set<string>> {
    const { legs, journal } = await begin();
    await journal.catchUp();
    const before = legs.channelIds();
    const list = await ami.list('CoreShowChannels');
    // Line breaks in a caller's number may add lines with any key.
    const alive = new Set(list.flatMap(({ Uniqueid = '' }) => Uniqueid.split('\n')));
    await journal.catchUp();
    const after = legs.channelIds();
    return new Set([...before].filter((id) => after.has(id) && !alive.has(id)));
  }

  /** Lost means missing twice: the end of a call that is just over is written a moment later. */
  async function look(): Promise<void> {
    const open = await opened;
    if (!open || lostAt !== 0 || open.legs.channelIds().size === 0) return;
    const gone = await goneChannels();
    const lost = new Set([...gone].filter((id) => missing.ids.has(id)));
    if (lost.size > 0) open.legs.lose(lost, missing.at);
    missing = { ids: gone, at: clock.now() };
  }

  const timer = setInterval(() => void save().catch(onError), saveMs);
  timer.unref();
  // Fails while the engine is away; `reconcile` follows.
  const looking = setInterval(() => void look().catch(() => {}), lookMs);
  looking.unref();
  const silentProviders = createSilentProviders({ ami, clock, waiting: () => waiting() });

  return {
    /** All active legs, after reading everything that the engine has written so far. */
    async activeCalls(): Promise<ActiveLeg[]> {
      const { legs, journal } = await begin();
      await journal.catchUp();
      return legs.open();
    },

    /** The engine is up, perhaps restarted: legs of one that died are over. */
    async reconcile(): Promise<void> {
      const gone = await goneChannels();
      const { legs } = await begin();
      if (gone.size > 0) legs.lose(gone, Math.max(lastLineAt, lostAt) || clock.now());
      lostAt = 0;
      await save().catch(onError);
    },

    /** A call that the engine refused before there was one: it is reported as a whole, and kept until it is stored. */
    refused(leg: EndedLeg): void {
      tellKept({ type: 'leg-started', leg: activeLeg(leg) });
      tellKept({ type: 'leg-ended', leg });
      tellKept({ type: 'call-ended', linkedId: leg.linkedId });
    },

    /** Resolves when everything reported so far survives the end of the service; rejects if it does not. */
    async saved(): Promise<void> {
      if (!opened || isClosed) throw new EngineAway('the journal of calls is not open');
      await save();
    },

    /** The connection to the engine is gone, and perhaps the engine. */
    engineLost(): void {
      lostAt = clock.now();
    },

    /** The database has stored one report of each of these: a leg or its recording. */
    legsStored(legIds: readonly string[]): void {
      for (const legId of legIds) {
        const kept = unstored.get(legId);
        kept?.shift();
        if (kept?.length === 0) unstored.delete(legId);
      }
      isDirty = true;
    },

    async close(): Promise<void> {
      isClosed = true;
      clearInterval(timer);
      clearInterval(looking);
      silentProviders.close();
      const parts = await opened?.catch(() => undefined);
      await parts?.journal.close();
      await parts?.recordings.settle();
      isDirty = true;
      saving = saving.then(write).catch(onError);
      await saving;
    },
  };
}
