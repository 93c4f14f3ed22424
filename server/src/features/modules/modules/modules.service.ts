import { isDeepStrictEqual } from 'node:util';
import { Conflict, NotFound, RuleBroken } from '../../../lib/errors.ts';
import { MODULE_ID } from '../../../lib/module-id.ts';
import { createOneAtATime } from '../../../lib/one-at-a-time.ts';
import { createTurnsByName } from '../../../lib/turns-by-name.ts';
import type {
  Accepted,
  acceptedWith,
  rightsBeyond,
  rightsOf,
  unaccepted,
} from '../../../module-host/description/accepted-rights.ts';
import type {
  changedSettings,
  SettingChange,
  shownSettings,
} from '../../../module-host/description/module-settings.ts';
import type { UnpackedArchive } from '../../../module-host/folder/install-module.ts';
import type { Found, FoundModule } from '../../../module-host/folder/module-folder.ts';
import type { ModuleHost } from '../../../module-host/module-host.ts';
import type { Wanted } from '../../../module-host/running/wanted.ts';
import { createModuleList, type ModuleRecord } from './module-record.ts';
import { type ModuleState, type ModuleStateStore, neverEnabled } from './module-states.store.ts';

export type DisableReason = 'DisabledByUser' | 'DisabledByException' | 'DisabledByCrashLoop';
type Settings = ModuleState['settings'];

interface ModulesParts {
  readonly host: ModuleHost;
  readonly states: ModuleStateStore;
  readonly settings: { readonly changed: typeof changedSettings; readonly shown: typeof shownSettings };
  readonly rights: {
    readonly of: typeof rightsOf;
    readonly accepted: typeof acceptedWith;
    readonly beyond: typeof rightsBeyond;
    readonly unaccepted: typeof unaccepted;
  };
  readonly brokenFolderOf: (found: Found, id: string) => Found['broken'][number] | undefined;
  /** Unpacks an archive beside the installed modules. Nothing in it runs yet. */
  readonly unpack: (archive: Buffer) => Promise<UnpackedArchive>;
  /** Loads a module without access to anything, to learn what it would publish. Throws `RuleBroken`. */
  readonly preview: (found: FoundModule, settings: Settings) => Promise<ModuleRecord['endpoints']>;
  readonly removal: {
    /** Throws `Conflict` for a folder that we must not remove. */
    readonly refuse: (folder: string, id: string) => Promise<void>;
    readonly folder: (folder: string) => Promise<void>;
    /** Deletes what it stored, on this node and in the database, with its settings. */
    readonly data: (id: string, wasDecidedOn: boolean) => Promise<void>;
  };
  /** Logs every decision about a module. */
  readonly note: (id: string, what: string, by: string, details?: object) => void;
  /** Called when the state of a module may have changed. */
  readonly onFollowed?: () => void;
  readonly onError: (error: unknown) => void;
}

/** Enables and disables modules: the decision is stored first, then this node follows at once, the others soon. */
export function createModules(parts: ModulesParts) {
  const { host, states, settings, rights, brokenFolderOf, unpack, preview, removal, note } = parts;
  const { onFollowed, onError } = parts;
  /** Archives are held in memory, and two must not claim the same free folder. */
  const oneArchive = createOneAtATime();
  const turns = createTurnsByName();
  /** Nobody else may change a module between check and action. A file system may ignore case. */
  const inTurnOf = <T>(id: string, work: () => Promise<T>): Promise<T> => turns(id.toLowerCase(), work);
  /** Separate turns: enabling a module that is being removed is refused at once. */
  const enablings = createTurnsByName();
  /** Modules being removed. They may write until their process has ended: nobody may start them meanwhile. */
  const leaving = new Set<string>();
  const { recordOf, list, folderOf } = createModuleList({ host, shown: settings.shown, brokenFolderOf });
  const storedState = (id: string) => states.current().find((state) => state.id === id);
  const stateOf = (id: string): ModuleState => storedState(id) ?? neverEnabled(id);
  const shown = (found: FoundModule): ModuleRecord => recordOf(found, stateOf(found.manifest.id));
  const wanted = (): Wanted =>
    new Map(
      states.current().flatMap(({ disabled, id, ...state }) => (disabled ? [] : [[id, state] as const])),
    );
  async function follow(only?: string): Promise<void> {
    await host.follow(wanted, only).finally(() => onFollowed?.());
    await noteAccepted();
  }
  states.onChange(() => void follow().catch(onError));

  async function find(id: string): Promise<FoundModule> {
    const found = await host.scan();
    const module = found.modules.find(({ manifest }) => manifest.id === id);
    if (module) return module;
    const why = list(found, states.current()).find((record) => record.id === id)?.broken;
    throw why
      ? new RuleBroken(`module ${id} is broken: ${why.reason}`)
      : new NotFound(`module ${id} not found`);
  }

  const records = async (): Promise<ModuleRecord[]> => list(await host.scan(), states.current());

  /** Applies the stored decision here. Resolves to the reason if the module does not run. */
  async function obey(id: string): Promise<string | undefined> {
    await states.reload();
    await follow(id);
    return stateOf(id).disabled ? undefined : host.faultOf(id);
  }

  async function disable(id: string, reason: DisableReason, reasonText: string, by: string): Promise<void> {
    await states.switchOff(id, { reason, reasonText: reasonText.slice(0, 500) });
    note(id, 'switched off', by, { reason, ...(reasonText && { reasonText }) });
    await obey(id);
  }

  const refusal = (id: string, fault: string): Error =>
    fault.includes(' is taken by the module ')
      ? new Conflict(fault)
      : new RuleBroken(`module ${id} cannot be started: ${fault}`);

  const notShown = (id: string, beyond: string): Error =>
    new Conflict(`module ${id} ${beyond}, which was not shown: check it again`);

  /** Without `seen`, accepts all it asks for and opens now. If refused, the earlier decision stays. */
  async function enable(id: string, by: string, seen?: Accepted): Promise<ModuleRecord> {
    const found = await find(id);
    await states.reload();
    const before = stateOf(id);
    // The files there may differ from those that run, and nobody has accepted what they would do.
    if (!before.disabled && host.running(id)) return shown(found);
    const { objection } = found.manifest;
    if (objection !== undefined) throw new RuleBroken(`module ${id} cannot be started: ${objection}`);
    const asked = rights.of(found.manifest);
    const beyond = seen && rights.beyond(asked, seen);
    if (beyond) throw notShown(id, beyond);
    if (leaving.has(id)) throw new Conflict(`module ${id} is being removed`);
    host.clearFault(id);
    await states.switchOn(id, rights.accepted(asked, seen));
    note(id, 'switched on', by);
    const fault = await obey(id);
    if (fault !== undefined) {
      const opened = host.obstacles.openedBeyond(id);
      if (before.disabled) await disable(id, 'DisabledByException', fault, by);
      else await takeBack(before, fault, by);
      throw opened === undefined ? refusal(id, fault) : notShown(id, opened);
    }
    return shown(found);
  }

  /** It was on before and did not start here: undoes only what this attempt accepted. */
  async function takeBack({ id, accepted }: ModuleState, fault: string, by: string): Promise<void> {
    await states.takeBack(id, accepted);
    note(id, 'not started on this node; it stays switched on', by, { reason: fault });
    await obey(id);
  }

  /**
   * Restarts a module from the files now on this node; each node has its own. That decides nothing: a module that would
   * do more than was accepted does not run until somebody enables it; the record says so.
   */
  async function restart(id: string, by: string): Promise<ModuleRecord> {
    await states.reload();
    const found = await find(id);
    const { disabled, accepted } = stateOf(id);
    if (disabled) throw new Conflict(`module ${id} is disabled: enable it`);
    note(id, 'restarted', by, { version: found.manifest.version });
    await host.restart(wanted, id).finally(() => onFollowed?.());
    await noteAccepted();
    const fault = host.faultOf(id);
    const isAsked = host.obstacles.openedBeyond(id) !== undefined;
    if (fault !== undefined && !isAsked && fault !== rights.unaccepted(rights.of(found.manifest), accepted))
      throw refusal(id, fault);
    return shown(found);
  }

  /** Notes what a module opens on its first run, if it was enabled before this was stored or without a check. */
  async function noteAccepted(): Promise<void> {
    let isNoted = false;
    for (const { id, disabled, accepted } of states.current()) {
      const running = disabled || accepted?.endpoints ? undefined : host.running(id);
      const endpoints = running && host.opens(id);
      if (!endpoints) continue;
      await states.accept(id, { ...(accepted ?? rights.of(running.manifest)), endpoints });
      isNoted = true;
    }
    if (isNoted) await states.reload();
  }

  async function configure(id: string, change: SettingChange, by: string): Promise<ModuleRecord> {
    const found = await find(id);
    let before: Settings = {};
    let after: Settings = {};
    await states.configure(id, (stored) => {
      before = stored;
      after = settings.changed(found.manifest, stored, change);
      return after;
    });
    // Names only: a value may be a secret.
    const details = { settings: Object.keys(change.settings ?? {}), reset: change.reset ?? [] };
    host.clearFault(id);
    const fault = await obey(id);
    if (fault === undefined) {
      note(id, 'settings changed', by, details);
      return shown(found);
    }
    const opened = host.obstacles.openedBeyond(id);
    const why =
      opened === undefined ? fault : `it ${opened}: disable it, set them, and enable it to accept that`;
    await states.configure(id, (stored) => (isDeepStrictEqual(stored, after) ? before : stored));
    host.clearFault(id);
    note(id, 'settings not changed: it did not start with them', by, { ...details, reason: fault });
    const still = (await obey(id)) === undefined ? '' : ', but it does not start with them either';
    throw new RuleBroken(
      `module ${id} does not start with these settings: ${why}; the previous ones are kept${still}`,
    );
  }

  async function install(
    archive: Buffer,
    { replace }: { replace: boolean },
    by: string,
  ): Promise<ModuleRecord> {
    const unpacked = await oneArchive(() => unpack(archive));
    try {
      return await inTurnOf(unpacked.id, () => placed(unpacked, replace, by));
    } finally {
      await unpacked.discard();
    }
  }

  /** A running module is restarted from the new files, as after `module install --replace`. */
  async function placed(unpacked: UnpackedArchive, replace: boolean, by: string): Promise<ModuleRecord> {
    const { id } = unpacked;
    await oneArchive(() => unpacked.place(replace));
    onFollowed?.();
    const { manifest } = await find(id);
    note(id, 'installed', by, { version: manifest.version });
    await states.reload();
    if (!stateOf(id).disabled)
      await restart(id, by).catch((error: unknown) => {
        // It is installed all the same; the record says why it does not run.
        if (!(error instanceof Conflict || error instanceof RuleBroken)) throw error;
      });
    return shown(await find(id));
  }

  /** Data and settings stay for a later installation, unless they are purged. */
  async function remove(id: string, { purge }: { purge: boolean }, by: string): Promise<void> {
    const folder = folderOf(await host.scan(), states.current(), id);
    const state = storedState(id);
    if (folder === undefined && (!state || (state.removed && !purge)))
      throw new NotFound(`module ${id} not found`);
    if (folder !== undefined) await removal.refuse(folder, id);
    // A mere folder name is no module: there is no decision about it, and no data.
    if (folder !== undefined && !state && !MODULE_ID.test(id)) {
      await removal.folder(folder);
      note(id, 'its folder is removed', by);
      return onFollowed?.();
    }
    leaving.add(id);
    try {
      await states.leave(id);
      await obey(id);
      if (folder !== undefined) await removal.folder(folder);
      if (purge) await removal.data(id, state !== undefined);
    } finally {
      leaving.delete(id);
    }
    host.forget(id);
    note(id, purge ? 'removed with its data' : 'removed; its data and settings are kept', by);
    await obey(id);
  }

  return {
    /** Starts the enabled modules. */
    start: (): Promise<void> => follow(),
    /** One at a time: if refused, each restores what was accepted before it. */
    enable: (...how: Parameters<typeof enable>) => enablings(how[0], () => enable(...how)),
    disable,
    restart,
    list: records,
    figures: () => host.figures(),

    async read(id: string): Promise<ModuleRecord> {
      const record = (await records()).find((one) => one.id === id);
      if (!record) throw new NotFound(`module ${id} not found`);
      return record;
    },

    /** What enabling the module would accept. */
    async check(id: string) {
      const found = await find(id);
      const { version, reads, writes, acts } = found.manifest;
      const endpoints = host.running(id)
        ? host.endpoints(id)
        : (host.obstacles.refusedEndpoints(found) ?? (await preview(found, stateOf(id).settings)));
      return { id, version, reads, writes, acts, endpoints };
    },

    install,
    configure: (...how: Parameters<typeof configure>) => inTurnOf(how[0], () => configure(...how)),
    remove: (...how: Parameters<typeof remove>) => inTurnOf(how[0], () => remove(...how)),
  };
}

export type Modules = ReturnType<typeof createModules>;
