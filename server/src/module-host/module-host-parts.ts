import type { Router } from '../http/router.ts';
import type { Clock } from '../lib/clock.ts';
import type { DataPlaces } from './data/data-places.ts';
import type { ModuleLimits } from './process/limits.ts';
import type { WorkerListener } from './process/worker-listener.ts';
import type { CallDeeds } from './questions/call-acts.ts';
import type { CoreAccess } from './questions/core-access.ts';

/** What the module host needs. */
export interface ModuleHostParts {
  readonly modulesDir: string;
  /** Each module has its own folder in it. */
  readonly moduleDataDir: string;
  readonly pbx: { readonly version: string; readonly timezone: string };
  /** Where the stores of the exchange listen. */
  readonly closedPorts: readonly number[];
  readonly limits: ModuleLimits;
  readonly clock: Clock;
  /** For one command: what the service left behind when it ended is for its own next start. */
  readonly isPassing: boolean;
  readonly onError: (error: unknown) => void;
  readonly log: (module: string) => WorkerListener['log'];
  readonly placesOf: (module: string) => DataPlaces;
  /** Data were moved to `place` after they were at `than`. */
  readonly isLaterPlace: (place: string, than: string) => boolean;
  readonly core: CoreAccess;
  readonly coreRouter: () => Router;
  /** What modules may do with calls. */
  readonly callDeeds: CallDeeds;
  readonly onCrashLoop: (id: string, reason: string) => void;
  /** A module was ended because it opens more than was accepted, or restarted from changed files; at any start. */
  readonly onRenewed: () => void;
}
