import { Conflict, NotFound, RuleBroken } from '../../../lib/errors.ts';
import type { Found, FoundModule } from '../../../module-host/module-folder.ts';
import type { ModuleHost, Wanted } from '../../../module-host/module-host.ts';
import type { changedSettings, shownSettings } from '../../../module-host/module-settings.ts';
import type { ModuleState, ModuleStateStore } from './module-states.store.ts';

export type DisableReason = 'DisabledByUser' | 'DisabledByException' | 'DisabledByCrashLoop';

interface ModulesParts {
  readonly host: ModuleHost;
  readonly states: ModuleStateStore;
  readonly settings: { readonly changed: typeof changedSettings; readonly shown: typeof shownSettings };
  /** Unpacks an archive among the installed modules; resolves to the id. Nothing of it runs by that. */
  readonly unpack: (archive: Buffer, options: { replace: boolean }) => Promise<string>;
  /** Told when the state of a module may be another one. */
  readonly onFollowed?: () => void;
  readonly onError: (error: unknown) => void;
}

/** A module's record (contract 9.4). */
interface ModuleRecord {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly developer: string;
  readonly description: string;
  readonly disabled: boolean;
  readonly disableReason: string;
  readonly disableReasonText: string;
  readonly min_pbx_version: string;
  readonly generation: number;
  readonly endpoints: ReturnType<ModuleHost['endpoints']>;
  readonly reads: readonly string[];
  readonly settings: Record<string, unknown>;
  readonly settingFields: FoundModule['manifest']['settings']['descriptions'];
}

const NEVER_ENABLED = { disabled: true, reason: '', reasonText: '', settings: {} };

/** Switches modules on and off: the decision is stored first, then this node follows it at once and the others soon. */
export function createModules({ host, states, settings, unpack, onFollowed, onError }: ModulesParts) {
  const stateOf = (id: string): ModuleState =>
    states.current().find((state) => state.id === id) ?? { id, ...NEVER_ENABLED };
  const wanted = (): Wanted =>
    new Map(
      states.current().flatMap(({ disabled, id, ...state }) => (disabled ? [] : [[id, state] as const])),
    );
  const follow = (only?: string): Promise<void> => host.follow(wanted, only).finally(() => onFollowed?.());
  states.onChange(() => void follow().catch(onError));

  function recordOf({ manifest }: FoundModule): ModuleRecord {
    const { id, name, version, developer, description, min_pbx_version, generation, reads } = manifest;
    const state = stateOf(id);
    // On, but not on this node: said here, not stored, since other nodes may well run it.
    const fault = state.disabled ? undefined : host.faultOf(id);
    return {
      id,
      name,
      version,
      developer,
      description,
      disabled: state.disabled || fault !== undefined,
      disableReason: fault === undefined ? state.reason : 'DisabledByException',
      disableReasonText: fault ?? state.reasonText,
      min_pbx_version,
      generation,
      endpoints: host.endpoints(id),
      reads,
      settings: settings.shown(manifest, state.settings),
      settingFields: manifest.settings.descriptions,
    };
  }

  function brokenRecord({ name, reason }: Found['broken'][number]): ModuleRecord {
    return {
      id: name,
      name,
      version: '',
      developer: '',
      description: '',
      disabled: true,
      disableReason: 'DisabledByException',
      disableReasonText: reason,
      min_pbx_version: '',
      generation: 3,
      endpoints: [],
      reads: [],
      settings: {},
      settingFields: {},
    };
  }

  async function find(id: string): Promise<FoundModule> {
    const { modules, broken } = await host.scan();
    const found = modules.find(({ manifest }) => manifest.id === id);
    if (found) return found;
    const why = broken.find(({ name }) => name === id);
    throw why
      ? new RuleBroken(`module ${id} is broken: ${why.reason}`)
      : new NotFound(`module ${id} not found`);
  }

  async function disable(id: string, reason: DisableReason, reasonText: string): Promise<void> {
    await states.switch(id, { disabled: true, reason, reasonText: reasonText.slice(0, 500) });
    await states.reload();
    await follow(id);
  }

  async function enable(id: string): Promise<ModuleRecord> {
    const found = await find(id);
    host.clearFault(id);
    await states.switch(id, { disabled: false, reason: '', reasonText: '' });
    await states.reload();
    await follow(id);
    const fault = host.faultOf(id);
    if (fault !== undefined) {
      await disable(id, 'DisabledByException', fault);
      throw fault.includes(' is taken by the module ')
        ? new Conflict(fault)
        : new RuleBroken(`module ${id} cannot be started: ${fault}`);
    }
    return recordOf(found);
  }

  return {
    follow: () => follow(),
    disable,

    async list(): Promise<ModuleRecord[]> {
      const { modules, broken } = await host.scan();
      const records = [...modules.map(recordOf), ...broken.map(brokenRecord)];
      return records.sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    async read(id: string): Promise<ModuleRecord> {
      const { modules, broken } = await host.scan();
      const found = modules.find(({ manifest }) => manifest.id === id);
      if (found) return recordOf(found);
      const why = broken.find(({ name }) => name === id);
      if (!why) throw new NotFound(`module ${id} not found`);
      return brokenRecord(why);
    },

    /** A module that runs is started anew from the new files, as after `module install --replace`. */
    async install(archive: Buffer, options: { replace: boolean }): Promise<ModuleRecord> {
      const id = await unpack(archive, options);
      onFollowed?.();
      if (!stateOf(id).disabled) {
        await disable(id, 'DisabledByUser', '');
        // It is installed all the same; the record says why it does not run.
        await enable(id).catch((error: unknown) => {
          if (!(error instanceof Conflict || error instanceof RuleBroken)) throw error;
        });
      }
      return recordOf(await find(id));
    },

    enable,

    async configure(id: string, sent: Readonly<Record<string, unknown>>): Promise<ModuleRecord> {
      const found = await find(id);
      await states.configure(id, (stored) => settings.changed(found.manifest, stored, sent));
      host.clearFault(id);
      await states.reload();
      await follow(id);
      return recordOf(found);
    },
  };
}

export type Modules = ReturnType<typeof createModules>;
