import type { OriginateOrder, TransferOrder } from './call-orders.ts';
import type { DesiredState } from './desired-state.ts';
import type { EngineEvent } from './events.ts';

/**
 * The telephony engine: what rings phones and carries voice. Its own terms stay behind this port; in goes a whole
 * desired state, out come snapshots and our events. `engine.suite.ts` tests every engine alike.
 *
 * While the engine is unreachable, `apply` and the queries reject with `EngineAway`; no answer is ever incomplete.
 */
export interface Engine {
  /**
   * Makes the engine serve exactly this: what is missing is taken out of service. Active calls go on. An engine that
   * was away may have forgotten everything, so apply again after each `engine-up`.
   */
  apply(state: DesiredState): Promise<void>;

  /** One entry per extension applied, registered or not. */
  extensionStatuses(): Promise<readonly ExtensionStatus[]>;
  /** One entry per provider applied. */
  providerStatuses(): Promise<readonly ProviderStatus[]>;
  /** Every leg of every active call. */
  activeCalls(): Promise<readonly ActiveLeg[]>;

  /** One entry per queue applied, with its members in any order. */
  queueStatuses(): Promise<readonly QueueStatus[]>;

  /**
   * Rings the phones of an employee; the one that is picked up calls, as if its owner had dialled. Resolves with the
   * `linkedId` of the call once its first leg was reported. That leg stands for the call as a whole: it rests when
   * somebody picks up, and ends with `NOPICKUP` when nobody does.
   */
  originate(order: OriginateOrder): Promise<string>;
  /** Ends a call for everybody in it. Rejects with `NotFound`. */
  hangUp(linkedId: string): Promise<void>;
  /** Blind transfer, as from a phone. Rejects with `NotFound`, or with `Conflict` when nobody can transfer it. */
  transfer(order: TransferOrder): Promise<void>;

  capabilities(): Capabilities;

  /**
   * Reports everything that happens from now on, in order; if the engine is up already, the listener gets `engine-up`
   * at once. Listeners never throw. Returns a function that stops listening.
   */
  listen(listener: EngineListener): () => void;

  /**
   * What was reported of these legs is stored for good: once for each `leg-ended`, `recording-finished`,
   * `night-switched` and `member-switched`. An engine that can repeat reports from before a crash of ours does so until
   * this call.
   */
  legsStored?(legIds: readonly string[]): void;

  /** Before `close`: an engine that would end with us goes on with its calls, for the next service to take over. */
  leaveRunning?(): void;

  /** Releases the engine; no event comes afterwards. */
  close(): Promise<void>;
}

export type EngineListener = (event: EngineEvent) => void;

interface Capabilities {
  /** False: no telephony engine is configured, and nothing of this will ever happen. */
  readonly telephony: boolean;
  readonly recording: boolean;
}

/** Where an extension can be rung. */
export interface Device {
  readonly address: string;
  readonly port: number;
  readonly userAgent: string;
  /** `unprobed`: this device is not probed. */
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
  /** What the provider's hosts resolve to, if the engine reports it. These addresses are never banned. */
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
  /** Takes no calls of this queue now. */
  readonly isPaused: boolean;
  /** End of its last queue call, in milliseconds of the epoch. */
  readonly lastCallAt: number | null;
}

interface Party {
  readonly channel: string;
  readonly number: string;
  readonly name: string;
}

/** One attempt to connect two parties. Legs with one `linkedId` are one call. Times in milliseconds of the epoch. */
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
  /** An emergency number was dialled in this call: all its legs are marked from then on, whoever talks in them. */
  readonly isEmergency?: boolean;
  /** The part of the exchange itself that the caller is connected to, as in `EndedLeg`; absent = a person. */
  readonly application?: string;
  readonly isApplication?: boolean;
  /** The number of the queue that rings this person. */
  readonly queue?: string;
}
