import type { Accepted } from '../../../module-host/description/accepted-rights.ts';
import type { shownSettings } from '../../../module-host/description/module-settings.ts';
import type { Found, FoundModule } from '../../../module-host/folder/module-folder.ts';
import type { ModuleHost } from '../../../module-host/module-host.ts';
import { type ModuleState, neverEnabled } from './module-states.store.ts';

/** A module's record (contract 9.4). */
export interface ModuleRecord {
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
  readonly writes: readonly string[];
  readonly acts: readonly string[];
  /** Only if somebody enabled it. */
  readonly accepted?: Accepted;
  readonly settings: Record<string, unknown>;
  readonly settingFields: FoundModule['manifest']['settings']['descriptions'];
  /** Only if its folder is missing or not in order. */
  readonly broken?: { readonly reason: string; readonly enabled: boolean };
}

const FOLDER_GONE = 'its folder is missing';

interface RecordParts {
  readonly host: Pick<ModuleHost, 'endpoints' | 'faultOf' | 'running'>;
  readonly shown: typeof shownSettings;
  readonly brokenFolderOf: (found: Found, id: string) => Found['broken'][number] | undefined;
}

/** Combines the folders on disk, the decisions about them, and what runs. */
export function createModuleList({ host, shown, brokenFolderOf }: RecordParts) {
  function recordOf({ manifest }: FoundModule, state: ModuleState): ModuleRecord {
    const { id, name, version, developer, description, min_pbx_version, generation } = manifest;
    // Enabled, but not running on this node: shown here, not stored, since other nodes may well run it.
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
      reads: manifest.reads,
      writes: manifest.writes,
      acts: manifest.acts,
      ...(state.accepted?.endpoints && { accepted: state.accepted }),
      settings: shown(manifest, state.settings),
      settingFields: manifest.settings.descriptions,
    };
  }

  function brokenRecord(id: string, reason: string, state: ModuleState): ModuleRecord {
    const broken = { reason, enabled: !state.disabled };
    // It was loaded before its folder broke: it answers until it is stopped.
    const running = host.running(id);
    if (running) return { ...recordOf(running, state), disableReasonText: reason, broken };
    return {
      id,
      name: id,
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
      writes: [],
      acts: [],
      settings: {},
      settingFields: {},
      broken,
    };
  }

  /** The folders that are not in order, each with the decision about it. */
  function brokenIn(found: Found, states: readonly ModuleState[]) {
    const known = new Set(found.modules.map(({ manifest }) => manifest.id));
    const lost = states.filter(({ id }) => !known.has(id));
    const owners = new Map(lost.map((state) => [brokenFolderOf(found, state.id), state]));
    const stateOf = (id: string) => states.find((state) => state.id === id) ?? neverEnabled(id);
    const broken = found.broken.map((one) => ({ ...one, state: owners.get(one) ?? stateOf(one.name) }));
    return { broken, lost, stateOf };
  }

  return {
    recordOf,
    /** The folder of the module listed under this id; no other name reaches it. */
    folderOf(found: Found, states: readonly ModuleState[], id: string): string | undefined {
      const module = found.modules.find(({ manifest }) => manifest.id === id);
      return (module ?? brokenIn(found, states).broken.find(({ state }) => state.id === id))?.folder;
    },
    /** Every known module: with a folder in order, a broken folder, or only a decision. */
    list(found: Found, states: readonly ModuleState[]): ModuleRecord[] {
      const { broken, lost, stateOf } = brokenIn(found, states);
      const ready = found.modules.map((module) => recordOf(module, stateOf(module.manifest.id)));
      const torn = broken.map(({ reason, state }) => brokenRecord(state.id, reason, state));
      const gone = lost
        .filter((state) => !state.removed && brokenFolderOf(found, state.id) === undefined)
        .map((state) => brokenRecord(state.id, FOLDER_GONE, state));
      return [...ready, ...torn, ...gone].sort((a, b) => (a.id < b.id ? -1 : 1));
    },
  };
}
