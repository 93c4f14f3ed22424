import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createOneAtATime } from '../lib/one-at-a-time.ts';
import { askCallerName } from './caller-name.ts';
import { createWriteGates } from './data/write-gate.ts';
import { textOfDescription } from './description/described-module.ts';
import { settingValues } from './description/module-settings.ts';
import { openEndpoints } from './description/open-routes.ts';
import { type Found, type FoundModule, findModules, isUnchanged } from './folder/module-folder.ts';
import { withSyntaxPlace } from './folder/syntax-place.ts';
import { createModuleAnswers } from './module-answers.ts';
import type { ModuleHostParts } from './module-host-parts.ts';
import { createCallActs } from './questions/call-acts.ts';
import { isPathOf } from './routes/module-router.ts';
import { createPublication, refuseTaken } from './routes/publication.ts';
import { endpointsOf, publishModule } from './routes/published-module.ts';
import { createUnreadAnswers } from './routes/unread-answers.ts';
import { AT_ONCE, type Beginning, withAll } from './running/beginning.ts';
import { createFaults } from './running/faults.ts';
import { createEntry, type Entry } from './running/module-entry.ts';
import { createModuleFigures, type ModuleFigures } from './running/module-figures.ts';
import { createObstacles } from './running/obstacles.ts';
import { createRunningModule } from './running/running-module.ts';
import { createSuspectStarts } from './running/suspect-starts.ts';
import { createSuspects } from './running/suspects.ts';
import { createUnderWay } from './running/under-way.ts';
import type { Want, Wanted } from './running/wanted.ts';

/** Runs modules and publishes what they describe. Which ones run is decided elsewhere. */
export function createModuleHost(parts: ModuleHostParts) {
  const { limits, clock } = parts;
  const entries = new Map<string, Entry>();
  const faults = createFaults();
  const obstacles = createObstacles({ faults, log: parts.log });
  const underWay = createUnderWay();
  const gates = createWriteGates();
  const unread = createUnreadAnswers(limits.unreadBytes);
  const figures = createModuleFigures();
  const callActs = createCallActs({ deeds: parts.callDeeds, clock, log: parts.log, acted: figures.acted });
  const suspects = createSuspects({
    file: parts.isPassing ? undefined : join(parts.moduleDataDir, 'calls-under-way.json'),
    clock,
    windowMs: limits.crashWindowMs,
    onError: parts.onError,
  });
  const suspectStarts = createSuspectStarts({
    suspects,
    watchMs: limits.watchMs,
    log: parts.log,
    isClosed: () => isClosed,
  });
  const publication = createPublication(entries);
  const allCame = publication.awaitMore();

  function begin(
    found: FoundModule,
    { settings, data: state, accepted }: Want,
    how: Beginning,
    before: Entry | undefined,
  ): void {
    const { id, slug } = found.manifest;
    const log = parts.log(id);
    const rival = [...entries.values()].find((other) => slug !== '' && other.found.manifest.slug === slug);
    if (rival)
      return void faults.set(id, `the slug ${slug} is taken by the module ${rival.found.manifest.id}`);
    const { data, records, ask } = createModuleAnswers({
      manifest: found.manifest,
      places: parts.placesOf(id),
      state,
      gate: gates.of(id),
      core: parts.core,
      callActs,
      log,
    });
    const running = createRunningModule({
      found,
      dataDir: join(parts.moduleDataDir, id),
      settings: settingValues(found.manifest, settings),
      pbx: parts.pbx,
      closedPorts: parts.closedPorts,
      limits,
      clock,
      ends: how.end === undefined ? [] : suspects.endsOf(id),
      lastEnd: how.end ?? '',
      trail: suspects,
      listener: suspects.hearing(id, { ask, log }),
      onDescribed(described, way) {
        const send = figures.counted(id, (...order) => {
          const ends = suspects.begin(id, 'at a call');
          return way(...order).finally(ends);
        });
        parts.core.check(found.manifest);
        records.described(described);
        entry.described = publishModule({
          found,
          described,
          send,
          recordsOf: records.published,
          isCorePath: isPathOf(parts.coreRouter),
          hold: unread.of(id),
        });
        refuseTaken(entry, entries.values());
        entry.said = textOfDescription(described);
        const handler = described.callerName;
        entry.asked = handler === undefined ? undefined : { send, handler };
        const endpoints = endpointsOf(entry.described.routes);
        entry.opens ??= openEndpoints(endpoints);
        if (entries.get(id) !== entry || !obstacles.opensMore(found, endpoints, entry.opens)) return;
        drop(id); // its own start has not begun
        parts.onRenewed();
      },
      onUp() {
        entry.published = entry.described;
        publication.joined(entry);
      },
      onRestart() {
        data.drop(); // drops what its start left half done
        figures.restarted(id);
      },
      onCrashLoop(reason) {
        faults.set(id, reason);
        drop(id);
        parts.onCrashLoop(id, reason);
      },
      isReplaced: async () => !(await isUnchanged(found, parts.pbx.version)),
      onReplaced() {
        log('info', 'its files have changed, or cannot be read: it is restarted from the current files');
        // Unless the module was changed or dropped meanwhile.
        const renewed = renew(id, (now) => now === entry).catch((error: unknown) => {
          parts.onError(error);
          if (isGone()) return;
          obstacles.unread(id);
          drop(id);
        });
        void renewed.then(parts.onRenewed);
      },
    });
    const entry = createEntry({ found, settings, running, data, opens: accepted?.endpoints }, before);
    entries.set(id, entry);
    if (before) publication.renew();
    faults.trying(id, settings);
    const isGone = () => entries.get(id) !== entry;
    const started = Promise.all([underWay.of(id), how.after])
      .then(() =>
        how.place(async () => (isGone() ? undefined : running.start(how.mayWait && data.isSettled())), {
          left: entry.left.promise,
          moves: data.moves,
        }),
      )
      .catch(async (error: Error) => {
        const reason = await withSyntaxPlace(error.message, found.folder);
        // Dropped meanwhile: not its own fault that it did not start.
        if (isGone()) return;
        faults.set(id, reason);
        log('error', `not started: ${reason}`);
        drop(id);
      });
    underWay.track(id, Promise.race([started, entry.left.promise]));
  }

  /** Unpublished first: later requests find nothing, those already inside are still answered. */
  function drop(id: string, patienceMs = limits.stopMs): void {
    const entry = entries.get(id);
    if (!entry) return;
    entries.delete(id);
    entry.left.resolve();
    figures.ended(id, entry.running.usage());
    publication.left();
    // It may write until it has stopped; what its start left half done is not needed any more.
    underWay.track(id, entry.running.stop(patienceMs).finally(entry.data.drop));
  }

  const scan = (): Promise<Found> => findModules(parts.modulesDir, parts.pbx.version);
  const inTurn = createOneAtATime();
  let isClosed = false;
  let closing: Promise<void> | undefined;
  let lastWanted = (): Wanted => new Map();
  /** After the first start, modules are only started on request. */
  let isFollowing = false;

  /** Everything after the scan is one synchronous step: a module that is restarted is never seen as gone. */
  async function decide(wanted: Wanted, isAnew: (entry: Entry) => boolean = () => false): Promise<void> {
    const found = await scan();
    if (isClosed) return;
    const before = new Map<string, Entry>();
    for (const [id, entry] of entries) {
      const { settings, data, published } = entry;
      const want = wanted.get(id);
      entry.opens = want?.accepted?.endpoints ?? entry.opens;
      const isMoved = want !== undefined && parts.isLaterPlace(want.data.place, data.place());
      const isWithin = obstacles.isWithin(entry.found, endpointsOf(published?.routes ?? []), want?.accepted);
      const isAsWanted = isWithin && isDeepStrictEqual(want?.settings, settings);
      if (want && !isMoved && isAsWanted && !isAnew(entry)) continue;
      drop(id);
      // Where its data were before, nobody may write any more.
      if (!isMoved) before.set(id, entry);
    }
    faults.keepFor(wanted);
    const how = isFollowing ? AT_ONCE : withAll();
    const isTried = isFollowing ? () => false : suspectStarts.isSuspect;
    isFollowing = true;
    for (const [id, want] of suspectStarts.suspectsLast(wanted)) {
      if (entries.has(id)) continue;
      const module = obstacles.startable(id, found, want.accepted);
      if (!module || faults.has(id)) continue;
      const beginning = isTried(id) ? suspectStarts.beginning(id, underWay.allSettled()) : how;
      begin(module, want, beginning, before.get(id));
    }
    suspectStarts.acquitOthers((id) => entries.has(id));
  }

  /** Restarts from the current files. */
  async function renew(id: string, isMeant: (entry: Entry | undefined) => boolean): Promise<void> {
    await inTurn(() => {
      const now = entries.get(id);
      if (!isMeant(now)) return;
      obstacles.clear(id);
      return decide(lastWanted(), (entry) => entry === now);
    });
    await underWay.settled(id);
  }

  async function close(): Promise<void> {
    isClosed = true;
    await inTurn(() => {});
    publication.awaitMore();
    for (const id of entries.keys()) drop(id, limits.closeMs);
    await underWay.allSettled();
    suspects.close();
  }

  return {
    scan,
    /**
     * Makes exactly these run; resolves when they do, or with `only` as soon as that one does, so that nobody waits for
     * a slow module. One that failed stays down until its fault is cleared.
     */
    async follow(wanted: () => Wanted, only?: string): Promise<void> {
      lastWanted = wanted;
      await inTurn(() => decide(wanted()));
      if (only !== undefined) return underWay.settled(only);
      await underWay.allSettled();
      allCame();
    },

    /** Restarts from the current files; resolves when it runs, or `faultOf` returns why it does not. */
    async restart(wanted: () => Wanted, id: string): Promise<void> {
      lastWanted = wanted;
      await renew(id, () => true);
    },

    /** Marks it as being loaded to see what it would publish, until the returned function is called. */
    loading: (id: string): (() => void) => suspects.begin(id, 'starting'),

    /** Called before `close` on an unrequested exit: the modules at work now may be the reason. */
    died: (): void => suspects.freeze(),

    /** Lets a module that failed be tried again. */
    clearFault: obstacles.clear,
    faultOf: (id: string): string | undefined => faults.get(id),
    obstacles,
    /** What it may answer without a key while it runs. */
    opens: (id: string) => entries.get(id)?.opens,
    /** The folder as it was found when it started; `undefined` if it does not run. */
    running: (id: string): FoundModule | undefined => {
      const entry = entries.get(id);
      return entry?.published && entry.found;
    },
    /** For monitoring. */
    figures: (): ModuleFigures[] =>
      figures.read((id) => {
        const entry = entries.get(id);
        return { isUp: entry?.published !== undefined, usage: entry?.running.usage() };
      }),
    /** It was removed: its figures are no longer needed. */
    forget: (id: string): void => figures.forget(id),
    endpoints: (id: string) => endpointsOf(entries.get(id)?.published?.routes ?? []),
    routes: publication.routes,
    version: publication.version,
    router: publication.router,

    tell(type: string, event: unknown): void {
      for (const { running } of entries.values()) running.tell(type, event);
    },

    callerName(number: string): Promise<string | undefined> {
      const asked = [...entries.values()].flatMap((entry) => entry.asked ?? []);
      return askCallerName(asked, number, limits.nameMs);
    },

    /** Nothing is started afterwards. A second call waits for the first. */
    close(): Promise<void> {
      closing ??= close();
      return closing;
    },
  };
}

export type ModuleHost = ReturnType<typeof createModuleHost>;
