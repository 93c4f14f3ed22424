import type { OriginateOrder, TransferOrder } from './call-orders.ts';
import type { DesiredState } from './desired-state.ts';
import type { EngineEvent } from './events.ts';

/**
 * The telephony engine: what rings phones and carries voice. Its own words stay behind this port; in goes a whole
 * desired state, out come snapshots and our events. `engine.suite.ts` proves every engine alike.
 *
 * While the engine is not reachable, `apply` and the questions reject with `EngineAway`; none ever answers with
 * less than it knows.
 */
export interface Engine {
  /**
   * Makes the engine serve exactly this: what is missing is taken out of service. Calls under way go on. An engine that
   * went away may forget everything, so whoever applies does it again after each `engine-up`.
   */
  apply(state: DesiredState): Promise<void>;

  /** One entry per extension applied, registered or not. */
  extensionStatuses(): Promise<readonly ExtensionStatus[]>;
  /** One entry per provider applied. */
  providerStatuses(): Promise<readonly ProviderStatus[]>;
  /** Every leg of every call under way. */
  activeCalls(): Promise<readonly ActiveLeg[]>;

  /** One entry per queue applied, with its members in no order. */
  queueStatuses(): Promise<readonly QueueStatus[]>;

  /**
   * Rings the phones of an employee; the one that is picked up calls, as if its owner had dialled. Resolves with the
   * `linkedId` of the call once its first leg was told. That one is of the call as a whole: it rests when somebody picks up, and
   * ends with `NOPICKUP` when nobody does.
   */
  originate(order: OriginateOrder): Promise<string>;
  /** Ends a call for everybody in it. Rejects with `NotFound`. */
  hangUp(linkedId: string): Promise<void>;
  /** As a phone transfers without asking first. Rejects with `NotFound`, or with `Conflict` when nobody can hand it over. */
  transfer(order: TransferOrder): Promise<void>;

  capabilities(): Capabilities;

  /**
   * Tells of everything that happens from now on, in the order it happened; when the engine is up already the listener
   * hears `engine-up` at once. Listeners never throw. Returns how to stop listening.
   */
  listen(listener: EngineListener): () => void;

  /**
   * What was told of these legs is stored for good: once for each `leg-ended`, `recording-finished`, `night-switched` and `member-switched`. An engine
   * that can tell again what was told before a crash of ours does so until it hears this.
   */
  legsStored?(legIds: readonly string[]): void;

  /** Before `close`: an engine that would be ended with us goes on with its calls, for the next service to take over. */
  leaveRunning?(): void;

  /** Lets go of the engine; no event comes afterwards. */
  close(): Promise<void>;
}

export type EngineListener = (event: EngineEvent) => void;

interface Capabilities {
  /** False: no telephony engine is configured, and nothing below will ever happen. */
  readonly telephony: boolean;
  readonly recording: boolean;
}

/** Where an extension can be rung. */
export interface Device {
  readonly address: string;
  readonly port: number;
  readonly userAgent: string;
  /** `unprobed`: nobody asks this device whether it answers. */
  readonly reach: 'reachable' | 'unreachable' | 'unprobed';
  readonly rttMs: number | null;
}

export interface ExtensionStatus {
  readonly number: string;
  readonly devices: readonly Device[];
}

/**
 * `registered`, `unregistered`, `rejected`: the outcome of a registration, ours with the provider or (inbound) the
 * provider's with us. `reachable`, `lagged`, `unreachable`: the outcome of probing a provider that does not register.
 */
type ProviderState =
  | 'registered'
  | 'unregistered'
  | 'rejected'
  | 'reachable'
  | 'lagged'
  | 'unreachable'
  | 'unknown';

export interface ProviderStatus {
  readonly id: string;
  readonly state: ProviderState;
  readonly rttMs: number | null;
  readonly rejectionReason?: string;
  /** What the engine resolved the provider's hosts to, as far as it tells. They are never banned. */
  readonly addresses: readonly string[];
}

export interface QueueStatus {
  readonly queueId: string;
  readonly members: readonly QueueMemberStatus[];
}

/** A member of one queue. Callers of queues are legs (`ActiveLeg.application`). */
export interface QueueMemberStatus {
  readonly number: string;
  readonly device: 'free' | 'ringing' | 'inuse' | 'wrapup' | 'unavailable' | 'unknown';
  /** Takes no calls of the queue now. */
  readonly isPaused: boolean;
  /** End of its last call of a queue, in milliseconds of the epoch. */
  readonly lastCallAt: number | null;
}

interface Party {
  readonly channel: string;
  readonly number: string;
  readonly name: string;
}

/** One attempt to connect two parties. Legs with the same `linkedId` are one call. Times in milliseconds of the epoch. */
export interface ActiveLeg {
  readonly id: string;
  readonly linkedId: string;
  readonly startedAt: number;
  readonly answeredAt: number | null;
  readonly source: Party;
  readonly destination: Party;
  /** The number that was dialled from outside, empty for a call from inside. */
  readonly did: string;
  /** One of the two has put the other on hold. */
  readonly isHeld?: boolean;
  /** An emergency number was dialled in this call: all its legs say so from then on, whoever talks in them. */
  readonly isEmergency?: boolean;
  /** What the caller meets of the exchange itself, as in `EndedLeg`; absent = nothing, it is a person. */
  readonly application?: string;
  readonly isApplication?: boolean;
  /** Of a person whom a queue rings: the queue's number. */
  readonly queue?: string;
}
