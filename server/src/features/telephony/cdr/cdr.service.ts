import type { Clock } from '../../../lib/clock.ts';
import { NotFound, RuleBroken } from '../../../lib/errors.ts';
import type { TimedTokens } from '../../../lib/timed-tokens.ts';
import type { Call } from './call.ts';
import { STEPS, type Step } from './call-counts.ts';
import type { CallFilter } from './call-filter.ts';
import type { PageWanted } from './call-pages.ts';
import { type FilterInput, readCallQuery } from './call-query.ts';
import type { CdrStore, Finder } from './cdr.store.ts';
import { createExportPlaces } from './export-places.ts';
import type { Asker } from './key-turns.ts';
import { type Leg, legOf, wireTime } from './leg.ts';
import type { CdrLimits } from './limits.ts';
import type { RecordingFile, Recordings } from './recordings.ts';
import { broadField, isSearch } from './search-cost.ts';
import { createSearches } from './searches.ts';

interface CdrParts {
  readonly store: CdrStore;
  readonly recordings: Recordings;
  readonly tokens: TimedTokens;
  readonly clock: Clock;
  readonly timezone: string;
  /** Numbers of the employees whose name contains a text. */
  readonly numbersOfName: (text: string) => Promise<readonly string[]>;
  readonly limits: CdrLimits;
}

/** A leg with the URLs of its recording. */
type ShownLeg = Leg & { readonly playback_url: string; readonly download_url: string };

/** Windows of fewer days are counted without waiting for a turn. */
const QUICK_DAYS = 31;
const RECORDING_URL = '/pbxcore/api/v3/cdr';

/** Call records (contract 5). */
export function createCdr({ store, recordings, tokens, clock, timezone, numbersOfName, limits }: CdrParts) {
  const runSearch = createSearches(limits);
  const takeExportPlace = createExportPlaces(limits);

  async function show(leg: Leg): Promise<ShownLeg> {
    const file = leg.recordingfile === '' ? undefined : await recordings.locate(leg.recordingfile);
    if (!file) return { ...leg, recordingfile: '', playback_url: '', download_url: '' };
    const token = tokens.issue(leg.id);
    return {
      ...leg,
      playback_url: `${RECORDING_URL}:playback?token=${token}`,
      download_url: `${RECORDING_URL}:download?token=${token}`,
    };
  }

  const showCall = async (call: Call): Promise<Call<ShownLeg>> => ({
    ...call,
    records: await Promise.all(call.records.map(show)),
  });

  async function readQuery(input: FilterInput) {
    const search: CallFilter['search'] =
      input.search === undefined
        ? undefined
        : { text: input.search, numbers: await numbersOfName(input.search) };
    const query = readCallQuery(input, search, { now: clock.now(), timezone });
    if (!query.filter || input.idFrom === undefined) return query;
    return { ...query, filter: { ...query.filter, idTo: await store.settledLeg() } };
  }

  /** What an index can find runs at once; anything else takes turns. */
  async function find<T>(isSlow: boolean, asker: Asker, page: (finder: Finder) => Promise<T>): Promise<T> {
    if (!isSlow) return page(store.finder(asker.signal));
    return runSearch(asker, async (signal) => {
      const search = await store.openSearch(signal);
      try {
        return await page(search);
      } finally {
        await search.close();
      }
    });
  }

  async function assertNarrow(input: FilterInput, filter: CallFilter): Promise<void> {
    const field = broadField(input);
    if (field && (await store.legsWithin(filter)) > limits.broadLegs)
      throw new RuleBroken(`${field}: too broad, add digits or dates`); // contract 17.13
  }

  async function page(input: FilterInput, filter: CallFilter | undefined, wanted: PageWanted, asker: Asker) {
    if (!filter) return { total: 0, records: [], ids: [] };
    await assertNarrow(input, filter);
    const isSlow = isSearch({ ...input, ...wanted });
    if (input.grouped) {
      const { total, calls } = await find(isSlow, asker, (finder) => store.calls(filter, wanted, finder));
      const ids = calls.flatMap((call) => call.records.map((leg) => leg.id));
      return { total, records: await Promise.all(calls.map(showCall)), ids };
    }
    const { total, rows } = await find(isSlow, asker, (finder) => store.legs(filter, wanted, finder));
    const legs = rows.map(legOf);
    return { total, records: await Promise.all(legs.map(show)), ids: legs.map((leg) => leg.id) };
  }

  return {
    async list(input: FilterInput, wanted: PageWanted, asker: Asker) {
      const { filter, window } = await readQuery(input);
      const { total, records, ids } = await page(input, filter, wanted, asker);
      const { limit, offset } = wanted;
      const lastId = ids.length === 0 ? (input.idFrom ?? null) : Math.max(...ids);
      const pagination = { total, limit, offset, hasMore: offset + limit < total, lastId };
      return { data: { records, pagination }, window };
    },

    /** `undefined`: there is nothing to export. */
    async openExport(input: FilterInput, asker: Asker) {
      const { filter } = await readQuery(input);
      if (!filter) return undefined;
      const place = await takeExportPlace(asker);
      try {
        const source = await store.openExport(filter, input.grouped, place.signal);
        let closing: Promise<void> | undefined;
        const close = () => {
          closing ??= source.close().finally(place.close);
          return closing;
        };
        return { ...source, ...place, close };
      } catch (error) {
        place.close();
        throw place.signal.aborted ? place.signal.reason : error;
      }
    },

    /** Digits name a leg, anything else a call. */
    async find(id: string): Promise<ShownLeg | Call<ShownLeg>> {
      if (/^\d+$/.test(id)) {
        const row = await store.findLeg(legId(id));
        if (!row) throw new NotFound(`call record ${id} not found`);
        return show(legOf(row));
      }
      const call = await store.findCall(id);
      if (!call) throw new NotFound('call not found');
      return showCall(call);
    },

    async remove(id: string, deleteRecording: boolean) {
      const isLeg = /^\d+$/.test(id);
      const gone = await store.remove(isLeg ? { id: legId(id) } : { linkedid: id });
      const [first] = gone;
      if (!first) throw new NotFound('call record not found');
      let recordingDeleted = false;
      for (const { recordingfile } of deleteRecording ? gone : []) {
        if (await recordings.remove(recordingfile ?? '')) recordingDeleted = true;
      }
      return {
        id,
        linkedid: first.linkedid ?? '',
        recordingDeleted,
        linkedRecordsDeleted: gone.length - 1,
      };
    },

    async metadata(limit: number) {
      const starts = await store.newestStarts(limit);
      const [earliest, latest] = [starts[0], starts.at(-1)];
      return {
        earliestDate: earliest === undefined ? null : wireTime(earliest),
        latestDate: latest === undefined ? null : wireTime(latest),
        hasRecords: starts.length > 0,
        sampleSize: starts.length,
      };
    },

    /** A window of more than a month has too many calls to be counted beside everything else. */
    callCounts(window: { from: number; to: number }, by: Step, asker: Asker) {
      const isSlow = window.to - window.from >= QUICK_DAYS * STEPS.day;
      return find(isSlow, asker, (finder) => store.callCounts(window, by, finder));
    },

    deletedSince: store.deletions.since,
    providerTotals: store.providerTotals,

    /** The leg and file of a token: `expired` if it is not ours or too old, `gone` without leg or file. */
    async recordingOf(token: string): Promise<{ leg: Leg; file: RecordingFile } | 'expired' | 'gone'> {
      const id = tokens.idOf(token);
      if (id === undefined) return 'expired';
      const row = await store.findLeg(id);
      const leg = row && legOf(row);
      const file = leg && (await recordings.locate(leg.recordingfile));
      return leg && file ? { leg, file } : 'gone';
    },
  };
}

export type Cdr = ReturnType<typeof createCdr>;
export type OpenExport = NonNullable<Awaited<ReturnType<Cdr['openExport']>>>;

/** No leg has an id beyond what a number can hold. */
const legId = (digits: string): number => (digits.length > 15 ? -1 : Number(digits));
