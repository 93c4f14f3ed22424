import { Conflict, ModuleAway, RuleBroken } from '../../lib/errors.ts';
import type { DescribedModule } from '../description/described-module.ts';
import { isNewer } from '../description/manifest.ts';
import type { DataPlaces, DataState } from './data-places.ts';
import type { RecordRows, RecordValues, ValueRows } from './record-rows.ts';
import type { StoredRecords } from './stored-records.ts';
import { passing, type WriteGate } from './write-gate.ts';

interface DataParts {
  readonly version: string;
  readonly places: DataPlaces;
  readonly state: DataState;
  readonly gate: WriteGate;
  readonly log: (level: 'info' | 'warn', text: string, details?: unknown) => void;
}

/** A copy that is not current yet. */
interface Staged {
  readonly place: string;
  readonly since: string;
  readonly isNoted: boolean;
}

interface Described {
  readonly migrates: boolean;
  readonly records: readonly StoredRecords[];
}

/** Rows indexed at a time, so that other requests run in between. */
const SOME = { limit: 100, bytes: 1024 * 1024 };

/** The data of one module that is starting or running. */
export function createModuleData({ version, places, state, gate, log }: DataParts) {
  let known = state;
  let described: Described = { migrates: false, records: [] };
  let staged: Staged | undefined;
  /** The copy may be current already, even if that step failed: its answer may have been lost. */
  let isUnsure = false;
  /** Resolves when that step is over, whatever its outcome. */
  let settling: Promise<void> | undefined;
  let isMoving = false;
  let isOpen = false;
  let isCopying = false;
  let hasIndexed = false;
  /** Set while requests cannot write. */
  let door: ReturnType<WriteGate['shut']> | undefined;
  /** A request that found records as they were declared earlier must not write them any more. */
  let isChanged = gate.isUsed();
  let drops = 0;
  const moves = Promise.withResolvers<void>();
  const rows = new Map<string, RecordRows>();

  const place = (): string => staged?.place ?? known.place;

  /**
   * Called when its start is over. A copy that may be current stays, and nothing writes beside it: the next start goes
   * by what is stored, and a copy that is not current after all is swept. Resolves when nothing is being settled any
   * more.
   */
  async function drop(): Promise<void> {
    drops++;
    if (staged && !isUnsure) forget(staged.place);
    if (!isUnsure) door?.open();
    staged = undefined;
    isMoving = false;
    isCopying = false;
    hasIndexed = false;
    rows.clear();
    door = undefined;
    await settling;
  }

  /** Returns a check whether the start that asks is still under way. */
  function untilDropped(): () => boolean {
    const before = drops;
    return () => drops === before;
  }
  function mustBe(isWanted: () => boolean): void {
    if (!isWanted()) throw new RuleBroken('it was stopped while its data were being copied');
  }

  /** Not awaited: it may take long, and what remains when the service ends is swept later. */
  function forget(copy: string): void {
    places
      .forget(copy)
      .catch((error: unknown) =>
        log('warn', 'a copy of its data could not be removed yet', { error: String(error) }),
      );
  }

  /** An older version is not noted: another node may run the newer one. */
  const isUpgrade = (): boolean => known.version === '' || isNewer(version, known.version);
  const wantedIndexes = () => new Map(described.records.map(({ name, index }) => [name, index]));

  function refuseOlder(): void {
    if (known.since !== '' && isNewer(known.since, version))
      throw new RuleBroken(`its data were migrated to version ${known.since}, this is version ${version}`);
  }

  async function indexAll(records: StoredRecords, isStrict: boolean): Promise<void> {
    const own = rowsOf(records.name);
    for (let after: string | undefined = '0'; after !== undefined; ) {
      const limit = Math.min(SOME.limit, records.atOnce);
      const part = await own.some({ ...SOME, limit, search: undefined, after, offset: 0 });
      const ids = part.rows.map(({ id: row }) => row);
      const outcomes = await own.save(ids.map((row) => ({ id: row, change: records.rowOf })));
      for (const [at, outcome] of outcomes.entries())
        if (outcome instanceof RuleBroken) throw outcome;
        else if (outcome instanceof Conflict)
          await report(part.rows[at] as (typeof part.rows)[number], outcome);
      after = part.hasMore ? ids.at(-1) : undefined;
    }

    async function report(row: { id: string; values: object }, { reasons }: Conflict): Promise<void> {
      const field = String(reasons[0]).split(':')[0] as string;
      const value = records.rowOf(row.values as never).unique[field] ?? '';
      const other = await own.find(field, value);
      const text = `${field} is unique, but the records ${other?.id} and ${row.id} of ${records.name} hold the same`;
      if (isStrict) throw new RuleBroken(text);
      log('warn', text);
      const withoutIt = (values: RecordValues) => {
        const { unique, ...rest } = records.rowOf(values);
        return {
          ...rest,
          unique: Object.fromEntries(Object.entries(unique).filter(([name]) => name !== field)),
        };
      };
      await own.save([{ id: row.id, change: withoutIt }]);
    }
  }

  function rowsAt(where: string, resource: string): RecordRows {
    const key = `${where} ${resource}`;
    const found = rows.get(key) ?? passing(places.rows(where, resource), gate.track);
    rows.set(key, found);
    return found;
  }

  /** The module's own writes go into the copy as soon as there is one. */
  function own(): string {
    if (isCopying) throw new ModuleAway('its data are being copied');
    return place();
  }
  const rowsOf = (resource: string): RecordRows => rowsAt(own(), resource);

  async function opened(shut: NonNullable<typeof door>, isWanted: () => boolean) {
    if (isUnsure) shut.refuse();
    await shut.settled();
    const stored = await places.stored();
    mustBe(isWanted);
    isUnsure = false;
    if (stored.place !== known.place) {
      // Requests that are held were meant for the previous place.
      isChanged = true;
      shut.refuse();
    }
    known = stored;
    refuseOlder();
    places
      .sweep(known.place)
      .catch((error: unknown) => log('warn', 'old data cannot be removed', { error: String(error) }));
    await places.raiseLastIds(known.place);
    const indexes = await places.indexes(known.place);
    const wanted = [...wantedIndexes()];
    const isEmpty = await places.isEmpty(known.place);
    mustBe(isWanted);
    const isIndexed = wanted.every(([name, made]) => (indexes.get(name) ?? made) === made);
    const migrates = described.migrates && isUpgrade() && !isEmpty;
    if (isEmpty || (isIndexed && !migrates)) {
      isChanged ||= wanted.some(([name, made]) => indexes.get(name) !== made);
      if (isChanged) shut.refuse();
      else shut.open();
      return undefined;
    }
    log('info', `its data are being adapted to version ${version}`, { from: known.version });
    isChanged = true;
    shut.refuse();
    isCopying = true;
    moves.resolve();
    await shut.settled();
    const copied = await places.copy(known.place);
    if (!isWanted()) forget(copied);
    mustBe(isWanted);
    isCopying = false;
    const isNoted = wanted.every(([name]) => indexes.get(name) !== '');
    staged = { place: copied, isNoted, since: migrates ? version : known.since };
    isMoving = migrates;
    return migrates ? { from: known.version || '0', to: version } : {};
  }

  async function settle(copy: Staged, newest: string, isWanted: () => boolean): Promise<void> {
    const shut = door;
    isUnsure = true;
    known = await places.settle(known, { place: copy.place, version: newest, since: copy.since });
    isUnsure = false;
    if (known.place !== copy.place) forget(copy.place);
    // Another node was first and migrated the data to another version: the next start checks whether it can read them.
    if (known.version !== newest || known.since !== copy.since)
      throw new RuleBroken(`another node has migrated its data to version ${known.version}`);
    log('info', `its data are now at version ${version}`);
    // Its start has ended meanwhile and left this to us: requests that found the data in the old place write no more.
    if (!isWanted()) shut?.openForLatest();
    mustBe(isWanted);
    staged = undefined;
    rows.clear();
  }

  return {
    place,
    rows: rowsOf,
    /** For requests to records as they are declared from now on: they see nothing of a copy until it is current. */
    published() {
      const pass = gate.declare();
      return (resource: string): RecordRows => passing(rowsAt(known.place, resource), pass);
    },
    values: (): ValueRows => places.values(own()),
    /** Resolves when its data must be moved before it is up, which may take long. */
    moves: moves.promise,
    /** The module's own migration is under way: it sees all that is stored, even what it no longer declares. */
    isMoving: () => isMoving,
    /** This version has started with these data before and would find them as it left them. */
    isSettled: () => known.version === version,
    described(said: DescribedModule, records: readonly StoredRecords[]): void {
      described = { migrates: said.migrates, records };
      isOpen = false;
    },

    /**
     * Before the module's own start. Resolves to nothing if its data fit this version; otherwise they were copied, and
     * `from` is present if the module is to migrate the copy.
     */
    async open(): Promise<{ from?: string; to?: string } | undefined> {
      if (isOpen) throw new RuleBroken('its data are open already');
      isOpen = true;
      void drop();
      const isWanted = untilDropped();
      if (isUnsure) await settling;
      mustBe(isWanted);
      door = gate.shut();
      try {
        return await opened(door, isWanted);
      } catch (error) {
        if (isWanted()) void drop();
        throw error;
      }
    },

    /** After the module's own migration: indexes every record as this version declares it. */
    async index(): Promise<void> {
      if (!staged || hasIndexed) throw new RuleBroken('there is nothing to index');
      hasIndexed = true;
      isMoving = false;
      // If indexes were not noted yet, nothing has checked for duplicates so far: they are as old as the records.
      for (const records of described.records) await indexAll(records, staged.isNoted);
      await places.noteIndexes(staged.place, wantedIndexes());
    },

    /** After its start: makes the copy current, if there is one. */
    async keep(): Promise<void> {
      if (isMoving || isCopying) throw new RuleBroken('its data are being moved');
      if (!isOpen) throw new RuleBroken('its data are not open');
      const newest = isUpgrade() ? version : known.version;
      if (isUnsure) throw new RuleBroken('its data are being kept already');
      const isWanted = untilDropped();
      if (staged) {
        const settled = settle(staged, newest, isWanted);
        settling = settled.catch(() => {}); // errors go to whoever called this
        await settled;
      } else {
        await places.noteIndexes(known.place, wantedIndexes());
        if (newest !== known.version) await places.noteVersion(newest);
        mustBe(isWanted);
        known = { ...known, version: newest };
      }
      if (isChanged) door?.openForLatest();
      door = undefined;
      isChanged = false;
    },

    drop,
  };
}

export type ModuleData = ReturnType<typeof createModuleData>;
