import type { Topic } from '../../lib/event-topics.ts';

/** Something that happened, as whoever saw it tells it. */
export interface NewEvent {
  readonly topic: Topic;
  /** Its name on the wire: `call`, `ban`, `record`. */
  readonly event: string;
  /** The whole new truth about its subject. */
  readonly data: object;
  /** Of the permission catalogue, where it is not the topic's own. */
  readonly path?: string;
  /** What a snapshot of the topic says of this subject from now on; without `data` nothing any more. */
  readonly keep?: { readonly subject: string; readonly data?: object };
}

export interface LoggedEvent {
  readonly id: string;
  readonly topic: Topic;
  readonly event: string;
  /** JSON text. */
  readonly data: string;
  readonly path: string;
}

/** Why a client has to begin anew (contract 30.5). */
export type GapReason = 'expired' | 'overflow' | 'node';

/** A place in the log of this node: how many events it has told before it, counted from its start. */
export type Place = number;

/**
 * Everything that happened lately, in one order for all nodes. What is published comes back to every node, the one that
 * published it included, and only then counts: the listeners, `kept` and `head` change in one step.
 */
export interface EventLog {
  readonly kind: 'embedded' | 'redis';
  /** Never throws and waits for nothing. */
  publish(event: NewEvent): void;
  /** Told whenever something was added. */
  listen(listener: () => void): void;
  /** Told when events may be missing between two that are in the log: whoever follows has to begin anew. */
  onBreak(listener: () => void): void;

  /** The place after the last event. */
  readonly head: Place;
  /** Names that place for clients. */
  readonly headId: string;
  /** The place after the event with this id, or why it cannot be gone on from. */
  placeAfter(id: string): Promise<Place | GapReason>;
  /** At most `limit` events from there on; `undefined` when some of them are no longer kept. */
  from(place: Place, limit: number): readonly LoggedEvent[] | undefined;
  /** What snapshots are made of: by subject, as JSON text. True for the place `head`. */
  kept(topic: Topic): ReadonlyMap<string, string>;
  /** Another number whenever that changed. */
  keptVersion(topic: Topic): number;

  /** Somebody follows these topics here, until it calls what it is given. Waits for whoever makes them ready. */
  hear(topics: readonly Topic[]): Promise<() => void>;
  /** Whether somebody follows it on any node: what nobody hears of need not be found out. */
  isHeard(topic: Topic): boolean;
  /** Told when a topic is followed that was not before: what was not told meanwhile has to be. Never rejects. */
  onHeard(listener: (topic: Topic) => Promise<void>): void;

  /** Whether this node speaks for all of them about what each of them sees: bans, rows that other programs changed. */
  readonly isSpeaker: boolean;
  /** Told when this node has become the one that speaks: what happened meanwhile may not have been told. */
  onSpeaker(listener: () => void): void;
  /** False: what happens now is not seen, so nobody can be served. */
  readonly isUp: boolean;
  close(): Promise<void>;
}
