import type { ModuleData } from '../data/module-data.ts';
import type { Endpoint } from '../description/open-routes.ts';
import type { FoundModule } from '../folder/module-folder.ts';
import type { PublishedModule } from '../routes/published-module.ts';
import type { Send } from '../routes/resource-operations.ts';
import type { RunningModule } from './running-module.ts';

/** A module that is started, or runs. */
export interface Entry {
  readonly found: FoundModule;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly running: RunningModule;
  readonly data: ModuleData;
  /** What it may answer without a key: where nobody noted it, what it says first. */
  opens: readonly Endpoint[] | undefined;
  /** What it said it would publish, from then on; it does once it is up. */
  described: PublishedModule | undefined;
  published: PublishedModule | undefined;
  /** What it described, as text, and what of it is published. */
  said: string;
  shown: string | undefined;
  /** How it is asked for names, if it knows any. */
  asked: { readonly send: Send; readonly handler: number } | undefined;
  /** It is not wanted any more: whatever waits for its turn need not. */
  readonly left: PromiseWithResolvers<void>;
}

type Begun = Pick<Entry, 'found' | 'settings' | 'running' | 'data' | 'opens'>;

/** What it published `before` is there until it is up: stored records are read all the time. */
export const createEntry = (begun: Begun, before: Entry | undefined): Entry => ({
  ...begun,
  described: undefined,
  published: before?.published,
  said: '',
  shown: before?.shown,
  asked: undefined,
  left: Promise.withResolvers(),
});
