/** The kinds of records that decide where calls go: their names in messages, and how many there may be (C12). */
export const FLOW_KINDS = {
  'incoming-routes': { word: 'incoming route', many: 'incoming routes', most: 1000 },
  'outbound-routes': { word: 'outbound route', many: 'outbound routes', most: 1000 },
  'sound-files': { word: 'sound file', many: 'sound files', most: 1000 },
  'ivr-menu': { word: 'menu', many: 'menus', most: 500 },
  'off-work-times': { word: 'off-work rule', many: 'off-work rules', most: 1000 },
  'call-queues': { word: 'queue', many: 'queues', most: 500 },
} as const;
export type FlowKind = keyof typeof FLOW_KINDS;

/** Fields of a record by their API names, as stored in JSON. */
export type FlowValues = Readonly<Record<string, unknown>>;

export interface FlowRecord<V = FlowValues> {
  readonly kind: FlowKind;
  readonly id: string;
  /** The number to dial it; `''` if it has none. */
  readonly number: string;
  readonly name: string;
  readonly priority: number;
  readonly values: V;
  /** Which of the numbers it refers to were those of employees, queues or menus when it was written. */
  readonly inside?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** It was an internal number and has no owner now: another tool removed it (contract 25.13, 26.11). */
export const isGone = (
  { inside = [] }: Pick<FlowRecord, 'inside'>,
  number: string,
  isSomebodys: (number: string) => boolean,
): boolean => inside.includes(number) && !isSomebodys(number);

export type NamedThing = 'number' | 'sound' | 'provider' | 'route';

export const soundHasAudio = ({ values }: FlowRecord): boolean => Number(values.revision) > 0;

/** One field of a record that refers to something else (contract 20.7). */
export interface Reference {
  /** `extension`, `actions[3].extension`, `incomingRouteIds[0]` */
  readonly field: string;
  readonly named: NamedThing;
  readonly name: string;
  /** The reference is removed with what it refers to; other references prevent its removal. */
  readonly givesWay?: boolean;
}

/** A record that refers to something. */
export interface User {
  readonly kind: FlowKind | 'employees';
  readonly id: string;
  readonly name: string;
  readonly field: string;
  readonly givesWay: boolean;
}

/** Values with one of them replaced, or, if it is `undefined`, with that item of its list removed. */
export function withValueAt(values: FlowValues, field: string, value: unknown): FlowValues {
  const [, name = '', index, inner] = /^(\w+)(?:\[(\d+)\](?:\.(\w+))?)?$/.exec(field) ?? [];
  if (index === undefined) return { ...values, [name]: value ?? '' };
  const list = values[name] as readonly unknown[];
  const items = list.flatMap((item, at) => {
    if (at !== Number(index)) return [item];
    if (value === undefined) return [];
    return [inner === undefined ? value : { ...(item as object), [inner]: value }];
  });
  return { ...values, [name]: items };
}
