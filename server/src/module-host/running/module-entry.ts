import type { ModuleData } from '../data/module-data.ts';
import type { Endpoint } from '../description/open-routes.ts';
import type { FoundModule } from '../folder/module-folder.ts';
import type { PublishedModule } from '../routes/published-module.ts';
import type { Send } from '../routes/resource-operations.ts';
import type { RunningModule } from './running-module.ts';

/** A module that is starting or running. */
export interface Entry {
  readonly found: FoundModule;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly running: RunningModule;
  readonly data: ModuleData;
  /** What it may answer without a key: if not noted yet, its first description. */
  opens: readonly Endpoint[] | undefined;
  /** What it will publish, known once it has described itself; published once it is up. */
  described: PublishedModule | undefined;
  published: PublishedModule | undefined;
  /** Its description as text, and the one that is published. */
  said: string;
  shown: string | undefined;
  /** How to ask it for the name of a caller, if it offers any. */
  asked: { readonly send: Send; readonly handler: number } | undefined;
  /** It shall no longer run: whatever waits for its turn can stop waiting. */
  readonly left: PromiseWithResolvers<void>;
}

type Begun = Pick<Entry, 'found' | 'settings' | 'running' | 'data' | 'opens'>;

/** What was published `before` stays until it is up: stored records remain readable all the time. */
export const createEntry = (begun: Begun, before: Entry | undefined): Entry => ({
  ...begun,
  described: undefined,
  published: before?.published,
  said: '',
  shown: before?.shown,
  asked: undefined,
  left: Promise.withResolvers(),
});
