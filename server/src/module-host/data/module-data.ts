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

/** A copy that does not count yet. */
interface Staged {
  readonly place: string;
  readonly since: string;
  readonly isNoted: boolean;
}

interface Described {
  readonly migrates: boolean;
  readonly records: readonly StoredRecords[];
}

/** Rows that are indexed at a time: other requests come in between. */
const SOME = { limit: 100, bytes: 1024 * 1024 };

/** The data of one module that is being started or runs. */
export function createModuleData({ version, places, state, gate, log }: DataParts) {
  let known = state;
  let described: Described = { migrates: false, records: [] };
  let staged: Staged | undefined;
  /** The copy may count already, also where making it so failed: the answer may have been lost. */
  let isUnsure = false;
  /** Resolves when that is over, however it ended. */
  let settling: Promise<void> | undefined;
  let isMoving = false;
  let isOpen = false;
  let isCopying = false;
  let hasIndexed = false;
  /** While requests cannot write. */
  let door: ReturnType<WriteGate['shut']> | undefined;
  /** A request that found records as they were declared before must not write them any more. */
  let isChanged = gate.isUsed();
  let drops = 0;
  const moves = Promise.withResolvers<void>();
  const rows = new Map<string, RecordRows>();

  const place = (): string => staged?.place ?? known.place;

  /**
   * Its start is over. A copy that may count stays, and nobody writes beside it: the next start goes by what is stored, and
   * what did not count after all is swept. Resolves when nothing is being settled any more.
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

  /** Whether the start that asks is still under way. */
  function untilDropped(): () => boolean {
    const before = drops;
    return () => drops === before;
  }
  function mustBe(isWanted: () => boolean): void {
    if (!isWanted()) throw new RuleBroken('it was ended while its data were copied');
  }

  /** Nobody waits for that: it may take long, and what is left at the end of the service is swept later. */
  function forget(copy: string): void {
    places
      .forget(copy)
      .catch((error: unknown) => log('warn', 'a copy of its data stays for now', { error: String(error) }));
  }

  /** An older version leaves no mark: another node may run the newer one. */
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

  /** What the module itself writes goes into the copy, as soon as there is one. */
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
      // Requests that are held were meant for where they lay before.
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
    log('info', `its data are made fit for version ${version}`, { from: known.version });
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
    // Another node was first, and made them fit for another version: the next start looks whether it can read them.
    if (known.version !== newest || known.since !== copy.since)
      throw new RuleBroken(`another node has moved its data to version ${known.version}`);
    log('info', `its data are those of version ${version}`);
    // Its start has ended meanwhile, and left that to us: who found the data where they lay before writes no more.
    if (!isWanted()) shut?.openForLatest();
    mustBe(isWanted);
    staged = undefined;
    rows.clear();
  }

  return {
    place,
    rows: rowsOf,
    /** For requests, to records as they are declared from now on: of a copy they see nothing until it counts. */
    published() {
      const pass = gate.declare();
      return (resource: string): RecordRows => passing(rowsAt(known.place, resource), pass);
    },
    values: (): ValueRows => places.values(own()),
    /** Resolves when its data have to be moved before it is up, which may take long. */
    moves: moves.promise,
    /** The module's own step is under way: it sees what is stored, also what it no longer declares. */
    isMoving: () => isMoving,
    /** This version has started with these data before, and would find them as it left them. */
    isSettled: () => known.version === version,
    described(said: DescribedModule, records: readonly StoredRecords[]): void {
      described = { migrates: said.migrates, records };
      isOpen = false;
    },

    /**
     * Before the module's own start. Resolves to nothing when its data are as it expects them; otherwise they were copied,
     * and `from` is there when the module is to migrate the copy.
     */
    async open(): Promise<{ from?: string; to?: string } | undefined> {
      if (isOpen) throw new RuleBroken('its data are open');
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

    /** After the module's own step: every record is looked into as this version declares it. */
    async index(): Promise<void> {
      if (!staged || hasIndexed) throw new RuleBroken('there is nothing to index');
      hasIndexed = true;
      isMoving = false;
      // Nobody looked for doubles before it was noted what is unique: they are as old as the records.
      for (const records of described.records) await indexAll(records, staged.isNoted);
      await places.noteIndexes(staged.place, wantedIndexes());
    },

    /** After its start: from now on the copy counts, if there is one. */
    async keep(): Promise<void> {
      if (isMoving || isCopying) throw new RuleBroken('its data are being moved');
      if (!isOpen) throw new RuleBroken('its data are not open');
      const newest = isUpgrade() ? version : known.version;
      if (isUnsure) throw new RuleBroken('its data are being kept already');
      const isWanted = untilDropped();
      if (staged) {
        const settled = settle(staged, newest, isWanted);
        settling = settled.catch(() => {}); // told to whoever asked for it
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
