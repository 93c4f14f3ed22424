import type { TSchema } from 'typebox';
import type { Fields } from '../../../http/fields.ts';
import type { Resource } from '../../../http/route.ts';
import type { FlowKind, FlowRecord, FlowValues, Reference } from '../../../lib/flow-record.ts';
import { isTargetWord } from '../../../lib/target.ts';
import type { NumberDesk } from '../../telephony/directory/number-desk.ts';
import type { FlowView } from './flow-view.ts';

/**
 * One kind of record that says where calls go: what is its own. The routes that all kinds have (C1 to C12) are made from this
 * by `flow-routes.ts`, and storing by `flow-service.ts`.
 */
export interface FlowResource<V extends FlowValues = FlowValues> {
  readonly kind: FlowKind;
  readonly resource: Resource;
  /** As sent with POST and PUT. What else is in the values of a record stays as it is. */
  readonly fields: Fields;
  /** `digits`: numbered. Others begin with the prefix, and a client may choose its own. */
  readonly ids: 'digits' | 'IVR' | 'QUEUE';
  /** What it is called by; a copy gets a prefix there. */
  readonly nameField: 'name' | 'rulename' | 'description';
  /** By which it is dialled. */
  readonly numberField?: 'extension';
  /** The highest priority, where there are any; the field is `priority`. */
  readonly lastPriority?: number;
  readonly Record: Answered;
  readonly ListItem: Answered;

  /** Targets and everything else that the values name. */
  readonly references: (values: V) => readonly FlowReference[];
  /** Targets that a call goes on to without a key of the caller (contract 21.3). */
  readonly fallsThroughTo?: (values: V) => readonly string[];
  /** What is wrong with single fields of this record, though not of every one: 400. Asked when it is this change's turn. */
  readonly problems?: (
    record: FlowRecord<V>,
    desk: NumberDesk,
    before: FlowRecord<V> | undefined,
  ) => readonly string[] | Promise<readonly string[]>;
  /** Rules across fields, each broken one in words: 422. Asked when it is this change's turn. */
  readonly broken?: (values: V, desk: NumberDesk) => readonly string[] | Promise<readonly string[]>;
  /** Refuses what others who name it do not allow; asked when it is this change's turn. */
  readonly guard?: (
    desk: NumberDesk,
    record: FlowRecord<V>,
    before: FlowRecord<V> | undefined,
  ) => Promise<void>;
  /** What is allowed but should be known. */
  readonly warnings?: (values: V, view: FlowView, before: FlowRecord<V> | undefined) => readonly string[];
  /** The same of what a deletion leaves behind. */
  readonly goneWarnings?: (view: FlowView) => readonly string[];
  /** Whatever is sent, these stay. */
  readonly fixed?: (values: V, id: string) => V;
  /** What was kept with the record besides its fields goes with those that are sent; `undefined`: it is new. */
  readonly kept?: (values: V, before: V | undefined) => V;
  /** Its priority is never changed; whoever sends one is passed over in silence. */
  readonly keepsPriority?: (id: string) => boolean;
  /** Why it cannot be deleted: 409. */
  readonly undeletable?: (record: FlowRecord<V>) => string | undefined;
  /** Parameters of its list besides those that all have, and whether a record is asked for by them. */
  readonly filters?: Fields;
  readonly isWanted?: (record: FlowRecord<V>, query: Readonly<Record<string, unknown>>) => boolean;
  readonly hasCopies?: false;
  /** `changePriority`, where another name is used too. */
  readonly priorityVerbs?: readonly string[];
  readonly isListed?: (record: FlowRecord<V>) => boolean;

  readonly toRecord: (record: FlowRecord<V>, view: FlowView) => Readonly<Record<string, unknown>>;
  readonly toListItem: (record: FlowRecord<V>, view: FlowView) => Readonly<Record<string, unknown>>;
  /** Texts that a search looks into. */
  readonly searched: (record: FlowRecord<V>) => readonly string[];
  /** By the names of `order`; the first is the default. */
  readonly sortedBy: Readonly<Record<string, (record: FlowRecord<V>) => string | number>>;
}

/** What is answered and is no field is ignored where it is sent back (C6). */
type Answered = TSchema & { readonly properties: Readonly<Record<string, TSchema>> };

/** A target may be a word or empty: then it names nobody. */
export type FlowReference =
  | Reference
  | {
      readonly field: string;
      readonly named: 'target';
      readonly name: string;
      /** What happens to a call then, in words; otherwise such a number is dialled outside. */
      readonly whenNobodys?: string | undefined;
      /** The same of a number of the house that another tool took away. */
      readonly whenGone?: string;
    };

/** Words and empty targets name nobody. */
export const storedReferences = (references: readonly FlowReference[]): Reference[] =>
  references.flatMap((reference) => {
    if (reference.named !== 'target') return reference.name === '' ? [] : [reference];
    const { field, name } = reference;
    return name === '' || isTargetWord(name) ? [] : [{ field, named: 'number' as const, name }];
  });
