import type { TSchema } from 'typebox';
import type { Fields } from '../../../http/fields.ts';
import type { Resource } from '../../../http/route.ts';
import type { FlowKind, FlowRecord, FlowValues, Reference } from '../../../lib/flow-record.ts';
import { isTargetWord } from '../../../lib/target.ts';
import type { NumberDesk } from '../../telephony/directory/number-desk.ts';
import type { FlowView } from './flow-view.ts';

/**
 * What is specific to one kind of record that says where calls go. `flow-routes.ts` makes the common routes (C1 to C12)
 * from it, `flow-service.ts` the storage.
 */
export interface FlowResource<V extends FlowValues = FlowValues> {
  readonly kind: FlowKind;
  readonly resource: Resource;
  /** As sent with POST and PUT. Other values of a record stay as they are. */
  readonly fields: Fields;
  /** `digits`: numbered. Other ids begin with this prefix, unless the client chooses its own. */
  readonly ids: 'digits' | 'IVR' | 'QUEUE';
  /** The field with its name; a copy gets a prefix there. */
  readonly nameField: 'name' | 'rulename' | 'description';
  /** The field with the number by which it is dialled. */
  readonly numberField?: 'extension';
  /** The highest priority, for kinds with priorities; the field is `priority`. */
  readonly lastPriority?: number;
  readonly Record: Answered;
  readonly ListItem: Answered;

  /** Targets and all other references in the values. */
  readonly references: (values: V) => readonly FlowReference[];
  /** Targets to which a call proceeds without the caller pressing a key (contract 21.3). */
  readonly fallsThroughTo?: (values: V) => readonly string[];
  /** Problems of single fields that depend on the record: 400. Called when it is this change's turn. */
  readonly problems?: (
    record: FlowRecord<V>,
    desk: NumberDesk,
    before: FlowRecord<V> | undefined,
  ) => readonly string[] | Promise<readonly string[]>;
  /** Violated rules across fields, in words: 422. Called when it is this change's turn. */
  readonly broken?: (values: V, desk: NumberDesk) => readonly string[] | Promise<readonly string[]>;
  /** Throws if other records do not allow the change; called when it is this change's turn. */
  readonly guard?: (
    desk: NumberDesk,
    record: FlowRecord<V>,
    before: FlowRecord<V> | undefined,
  ) => Promise<void>;
  /** What is allowed but worth a warning. */
  readonly warnings?: (values: V, view: FlowView, before: FlowRecord<V> | undefined) => readonly string[];
  /** The same for what a deletion leaves behind. */
  readonly goneWarnings?: (view: FlowView) => readonly string[];
  /** Restores values that stay whatever is sent. */
  readonly fixed?: (values: V, id: string) => V;
  /** Adds what a record keeps besides its fields to the sent values; `undefined`: the record is new. */
  readonly kept?: (values: V, before: V | undefined) => V;
  /** Whether its priority never changes; a sent one is silently ignored. */
  readonly keepsPriority?: (id: string) => boolean;
  /** Why it cannot be deleted: 409. */
  readonly undeletable?: (record: FlowRecord<V>) => string | undefined;
  /** Additional parameters of its list; `isWanted` matches a record against them. */
  readonly filters?: Fields;
  readonly isWanted?: (record: FlowRecord<V>, query: Readonly<Record<string, unknown>>) => boolean;
  readonly hasCopies?: false;
  /** Names of the verb that sets priorities, if not only `changePriority`. */
  readonly priorityVerbs?: readonly string[];
  readonly isListed?: (record: FlowRecord<V>) => boolean;

  readonly toRecord: (record: FlowRecord<V>, view: FlowView) => Readonly<Record<string, unknown>>;
  readonly toListItem: (record: FlowRecord<V>, view: FlowView) => Readonly<Record<string, unknown>>;
  /** Texts that are searched. */
  readonly searched: (record: FlowRecord<V>) => readonly string[];
  /** Sort keys by value of `order`; the first is the default. */
  readonly sortedBy: Readonly<Record<string, (record: FlowRecord<V>) => string | number>>;
}

/** Properties of answers that are no fields; ignored when sent back (C6). */
type Answered = TSchema & { readonly properties: Readonly<Record<string, TSchema>> };

/** A target may be a word or empty: then it names nobody. */
export type FlowReference =
  | Reference
  | {
      readonly field: string;
      readonly named: 'target';
      readonly name: string;
      /** What happens to a call if nobody has the number; otherwise it is dialled outside. */
      readonly whenNobodys?: string | undefined;
      /** The same for an internal number that another tool removed. */
      readonly whenGone?: string;
    };

/** Words and empty targets name nobody. */
export const storedReferences = (references: readonly FlowReference[]): Reference[] =>
  references.flatMap((reference) => {
    if (reference.named !== 'target') return reference.name === '' ? [] : [reference];
    const { field, name } = reference;
    return name === '' || isTargetWord(name) ? [] : [{ field, named: 'number' as const, name }];
  });
