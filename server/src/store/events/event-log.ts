import type { Topic } from '../../lib/event-topics.ts';

/** An event as its source publishes it. */
export interface NewEvent {
  readonly topic: Topic;
  /** Its name on the wire: `call`, `ban`, `record`. */
  readonly event: string;
  /** The complete new state of its subject. */
  readonly data: object;
  /** Path of the permission catalogue, when it is not the topic's own. */
  readonly path?: string;
  /** The state of this subject in snapshots of the topic from now on; without `data` the subject is removed. */
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

/** A place in the log of this node: the number of events before it since the start. */
export type Place = number;

/**
 * The recent events, in one order for all nodes. A published event comes back to every node, including its publisher,
 * and counts only then: the listeners, `kept` and `head` change in one step.
 */
export interface EventLog {
  readonly kind: 'embedded' | 'redis';
  /** Never throws and never waits. */
  publish(event: NewEvent): void;
  /** Calls the listener whenever events were added. */
  listen(listener: () => void): void;
  /** Calls the listener when events may be missing inside the log, so that every follower has to begin anew. */
  onBreak(listener: () => void): void;

  /** The place after the last event. */
  readonly head: Place;
  /** The id of that place for clients. */
  readonly headId: string;
  /** The place after the event with this id, or why a client cannot resume there. */
  placeAfter(id: string): Promise<Place | GapReason>;
  /** At most `limit` events from a place on; `undefined` when some of them are no longer kept. */
  from(place: Place, limit: number): readonly LoggedEvent[] | undefined;
  /** The content of snapshots: by subject, as JSON text, as of the place `head`. */
  kept(topic: Topic): ReadonlyMap<string, string>;
  /** A number that differs whenever `kept` has changed. */
  keptVersion(topic: Topic): number;

  /** Registers a follower of these topics until it calls the returned function. Waits for the `onHeard` listeners. */
  hear(topics: readonly Topic[]): Promise<() => void>;
  /** Whether the topic has followers on any node; without any, its events need not be looked up. */
  isHeard(topic: Topic): boolean;
  /** Calls the listener when a topic gets its first follower, to publish what was skipped before. Must not reject. */
  onHeard(listener: (topic: Topic) => Promise<void>): void;

  /** Whether this node publishes for all nodes what each of them sees: bans, rows that other programs changed. */
  readonly isSpeaker: boolean;
  /** Calls the listener when this node becomes the speaker: events before that may not have been published. */
  onSpeaker(listener: () => void): void;
  /** False when events are not received now, so that no stream can be served. */
  readonly isUp: boolean;
  close(): Promise<void>;
}
