import type { MemberState } from '../lib/member-state.ts';
import type { ActiveLeg, ExtensionStatus, ProviderStatus, QueueMemberStatus } from './engine.ts';

/** Events of an engine, in our terms. Each carries the complete new state of its subject, not a difference. */
export type EngineEvent =
  /** The engine is reachable and ready for a desired state. It may have forgotten everything. */
  | { readonly type: 'engine-up' }
  | { readonly type: 'engine-down' }
  /** A device came, went, or changed its reach. Round trip times alone are not reported: they are read on demand. */
  | { readonly type: 'registration-changed'; readonly extension: ExtensionStatus }
  /** A new state, or a new reason for it. */
  | { readonly type: 'provider-changed'; readonly provider: ProviderStatus }
  | { readonly type: 'leg-started'; readonly leg: ActiveLeg }
  /** Answered, put on hold or resumed, or more is known of a party than at the start. */
  | { readonly type: 'leg-changed'; readonly leg: ActiveLeg }
  /** A member of a queue stops ringing, but may ring again: its leg ends with the caller's stay there. */
  | { readonly type: 'leg-rested'; readonly leg: ActiveLeg }
  | { readonly type: 'leg-ended'; readonly leg: EndedLeg }
  /** Comes after the last `leg-ended` of the call. */
  | { readonly type: 'call-ended'; readonly linkedId: string }
  /** The file is complete. Comes after the leg's `leg-ended`. */
  | RecordingFinished
  | { readonly type: 'queue-member-changed'; readonly queueId: string; readonly member: QueueMemberStatus }
  | MemberSwitched
  | EmergencyCall
  | AuthFailed
  | AuthSucceeded
  | TlsMissing
  | NightSwitched;

/**
 * Somebody was refused for good: wrong secret, unknown account, forbidden source. Not reported: a request without
 * credentials that is challenged and then answered rightly, as every honest phone begins.
 */
export interface AuthFailed {
  readonly type: 'auth-failed';
  readonly category: 'sip' | 'ami' | 'iax' | 'http';
  /** The sender's address, without port. */
  readonly address: string;
  readonly account?: string;
}

/** Somebody proved to be this account. Reported for every such request, so listeners have to be quick. */
export interface AuthSucceeded extends Omit<AuthFailed, 'type'> {
  readonly type: 'auth-succeeded';
  readonly account: string;
}

/**
 * Somebody proved to be this account, but without the required TLS, and was refused. No guess, so it counts towards no
 * ban; but the phone needs fixing.
 */
export interface TlsMissing {
  readonly type: 'tls-missing';
  readonly account: string;
  readonly address: string;
}

/**
 * Somebody dialled the code that closes the line, or returns it to its hours (contract 26.13). Repeated until stored.
 */
export interface NightSwitched {
  readonly type: 'night-switched';
  /** For `legsStored`: not the id of the leg that was dialled. */
  readonly legId: string;
  readonly at: number;
  readonly mode: 'closed' | 'auto';
  /** The revision of the overrides that it was switched on top of. */
  readonly revision: number;
}

/** Why the exchange refused a call before it began: because of the caller's offer of voice. */
export type RefusalCause = 'no-common-codec' | 'encryption-mismatch';

type Disposition = 'ANSWERED' | 'NO ANSWER' | 'BUSY' | 'FAILED' | 'CHANUNAVAIL';

/** A leg that is over: everything that a call record is made of. */
export interface EndedLeg extends ActiveLeg {
  readonly endedAt: number;
  readonly disposition: Disposition;
  /** Why a call was refused before anybody was rung, if known. */
  readonly cause?: RefusalCause;
  /** Provider over which the call came in or went out; empty if none. */
  readonly fromProvider: string;
  readonly toProvider: string;
  readonly dtmfDigits: string;
  readonly isTransfer: boolean;
  /**
   * What took the caller: `ivr`, `queue`, `announce`, `offwork`; `''` = a person. Members of a queue have `queue` too.
   */
  readonly application: string;
  readonly isApplication: boolean;
  /** Of a queue: the member who took the call. */
  readonly member?: string;
  /** How it ended, if the disposition does not show it. */
  readonly dialStatus?: string;
  /** Call-ID of either side, for reading captures. */
  readonly sourceCallId: string;
  readonly destinationCallId: string;
}

/** Somebody dials an emergency number (contract 23.10). */
export interface EmergencyCall {
  readonly type: 'emergency-call';
  readonly linkedId: string;
  readonly callerNumber: string;
  readonly callerName: string;
  readonly number: string;
  /** The first provider that is tried; `''` when there is none. */
  readonly providerId: string;
}

interface RecordingFinished {
  readonly type: 'recording-finished';
  readonly legId: string;
  readonly linkedId: string;
  /** Inside the folder of recordings. */
  readonly file: string;
}

/** A member switched on its phone whether it takes queue calls (contract 27.19). Already in force, but not stored. */
export interface MemberSwitched {
  readonly type: 'member-switched';
  /** The id under which it is kept until `legsStored` gets it. */
  readonly legId: string;
  readonly number: string;
  readonly state: MemberState;
  /** The number of one queue; `''` = all that it is a member of. */
  readonly queue: string;
  readonly at: number;
}
