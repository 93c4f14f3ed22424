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
  /** A copy that does not count yet. */
  let staged: { readonly place: string; readonly since: string; readonly isNoted: boolean } | undefined;
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

  function drop(): void {
    drops++;
    if (staged) forget(staged.place);
    staged = undefined;
    isMoving = false;
    isCopying = false;
    hasIndexed = false;
    rows.clear();
    door?.open();
    door = undefined;
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
    const mustBeWanted = () => {
      if (!isWanted()) throw new RuleBroken('it was ended while its data were copied');
    };
    await shut.settled();
    await places.raiseLastIds(known.place);
    const indexes = await places.indexes(known.place);
    const wanted = [...wantedIndexes()];
    const isEmpty = await places.isEmpty(known.place);
    mustBeWanted();
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
    mustBeWanted();
    isCopying = false;
    const isNoted = wanted.every(([name]) => indexes.get(name) !== '');
    staged = { place: copied, isNoted, since: migrates ? version : known.since };
    isMoving = migrates;
    return migrates ? { from: known.version || '0', to: version } : {};
  }

  async function settle({ place: mine, since }: { place: string; since: string }, newest: string) {
    const settled = await places.settle(known, { place: mine, version: newest, since });
    known = { place: settled, version: newest, since };
    staged = undefined;
    rows.clear();
    if (settled !== mine) forget(mine);
    log('info', `its data are those of version ${version}`);
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
      drop();
      refuseOlder();
      places
        .sweep(known.place)
        .catch((error: unknown) => log('warn', 'old data cannot be removed', { error: String(error) }));
      const isWanted = (
        (before) => () =>
          drops === before
      )(drops);
      door = gate.shut();
      try {
        return await opened(door, isWanted);
      } catch (error) {
        if (isWanted()) drop();
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
      if (staged) await settle(staged, newest);
      else {
        await places.noteIndexes(known.place, wantedIndexes());
        if (newest !== known.version) await places.noteVersion(newest);
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
