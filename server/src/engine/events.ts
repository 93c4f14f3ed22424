import type { MemberState } from '../lib/member-state.ts';
import type { ActiveLeg, ExtensionStatus, ProviderStatus, QueueMemberStatus } from './engine.ts';

/** What an engine tells, in our words. Each event carries the complete new state of its subject, not a difference. */
export type EngineEvent =
  /** The engine is reachable and ready to be told what to serve. It may have forgotten everything. */
  | { readonly type: 'engine-up' }
  | { readonly type: 'engine-down' }
  /** A device came, went, or changed its reach. Round trip times alone are not told: they are seen when asked for. */
  | { readonly type: 'registration-changed'; readonly extension: ExtensionStatus }
  /** A new state, or a new reason for it. */
  | { readonly type: 'provider-changed'; readonly provider: ProviderStatus }
  | { readonly type: 'leg-started'; readonly leg: ActiveLeg }
  /** Answered, put on hold or taken back, or a party is known better than at its start. */
  | { readonly type: 'leg-changed'; readonly leg: ActiveLeg }
  /** A member of a queue rings no more, but may again: its leg ends with the stay of the caller there. */
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
 * Somebody was refused for good: wrong secret, unknown account, forbidden source. A request without credentials that is
 * challenged and then answered rightly is how every honest phone begins, and is never told.
 */
export interface AuthFailed {
  readonly type: 'auth-failed';
  readonly category: 'sip' | 'ami' | 'iax' | 'http';
  /** Of the sender, without port. */
  readonly address: string;
  readonly account?: string;
}

/** Somebody proved to be this account. Told of every such request, so whoever listens has to be quick. */
export interface AuthSucceeded extends Omit<AuthFailed, 'type'> {
  readonly type: 'auth-succeeded';
  readonly account: string;
}

/**
 * Somebody proved to be this account, but not over TLS as it has to, and was refused. No guess, so it counts towards no ban; but
 * the phone has to be mended.
 */
export interface TlsMissing {
  readonly type: 'tls-missing';
  readonly account: string;
  readonly address: string;
}

/** Somebody dialled the code that closes the line, or leaves it to its hours again (contract 26.13). Told until it is stored. */
export interface NightSwitched {
  readonly type: 'night-switched';
  /** For `legsStored`: the leg that was dialled has another. */
  readonly legId: string;
  readonly at: number;
  readonly mode: 'closed' | 'auto';
  /** Of the overrides that it was switched on top of. */
  readonly revision: number;
}

/** Why the exchange refused to take a call before it began: the caller's offer of voice. */
export type RefusalCause = 'no-common-codec' | 'encryption-mismatch';

type Disposition = 'ANSWERED' | 'NO ANSWER' | 'BUSY' | 'FAILED' | 'CHANUNAVAIL';

/** A leg that is over: everything a call record is made of. */
export interface EndedLeg extends ActiveLeg {
  readonly endedAt: number;
  readonly disposition: Disposition;
  /** Of a call that was refused before anybody was rung, where it is known. */
  readonly cause?: RefusalCause;
  /** Provider over which the call came in or went out, empty when none did. */
  readonly fromProvider: string;
  readonly toProvider: string;
  readonly dtmfDigits: string;
  readonly isTransfer: boolean;
  /** What the caller met of the exchange itself: `ivr`, `queue`, `announce`, `offwork`; `''` = a person. Members of a queue have `queue` too. */
  readonly application: string;
  readonly isApplication: boolean;
  /** Of a queue: the member who took the call. */
  readonly member?: string;
  /** How it ended, where the disposition does not say it. */
  readonly dialStatus?: string;
  /** Call-ID of either side, for whoever reads a capture. */
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
  /** The first that is asked to carry it; `''` when there is none. */
  readonly providerId: string;
}

interface RecordingFinished {
  readonly type: 'recording-finished';
  readonly legId: string;
  readonly linkedId: string;
  /** Inside the folder of recordings. */
  readonly file: string;
}

/** A member said on its own phone whether it takes calls of queues (contract 27.19). It acts already; who keeps states has to keep it. */
export interface MemberSwitched {
  readonly type: 'member-switched';
  /** Under which it is kept until `legsStored` is told of it. */
  readonly legId: string;
  readonly number: string;
  readonly state: MemberState;
  /** The number of one queue; `''` = all that it is a member of. */
  readonly queue: string;
  readonly at: number;
}
