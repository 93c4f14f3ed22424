import type { LegState, PartyState } from './leg.ts';

/** A file that is being written while its channel lives. */
export interface OpenRecording {
  readonly channelId: string;
  readonly legId: string;
  readonly linkedId: string;
  readonly file: string;
  /** Nobody talked: the file is removed. */
  readonly isUnwanted?: boolean;
}

/** All active legs and what belongs to them, as JSON. */
export interface LegsState {
  readonly legs: readonly LegState[];
  readonly parties: readonly PartyState[];
  readonly recordings: readonly OpenRecording[];
  readonly calls: readonly string[];
  /** Long names of the next leg of a channel; absent in the state of earlier versions. */
  readonly names?: readonly (readonly [channelId: string, names: LongNames])[];
  /** Calls in which an emergency number was dialled; absent in the state of earlier versions. */
  readonly emergencies?: readonly string[];
  /** Attempts on members of queues; absent in the state of earlier versions. */
  readonly attempts?: readonly Attempt[];
  readonly resting?: readonly RestingLeg[];
}

/** A member of a queue is being rung for a caller. */
export interface Attempt {
  /** The first one becomes the id of the leg, if this attempt is answered or is the member's first. */
  readonly ids: string[];
  /** The leg of the caller's stay in the queue. */
  readonly stayId: string;
  linkedId: string;
  readonly number: string;
  readonly name: string;
  /** The inner channel: its name without the number of its end, and the id of the end on which the dialplan runs. */
  readonly inner: string;
  readonly innerId: string;
  readonly startedAt: number;
  toProvider: string;
  device?: { readonly channelId: string; readonly channel: string; readonly callId: string };
  answeredAt?: number;
  isTaken?: boolean;
  status?: string;
  failedAt?: number;
}

/** The leg of a member who has not answered a caller yet, and may be rung again. */
export interface RestingLeg {
  readonly legId: string;
  readonly stayId: string;
  readonly number: string;
  /** When the last attempt ended. */
  endedAt: number;
  status: string;
  isRinging: boolean;
}

/** The talk of two parties whom a third connected. */
export interface JoinedTalk {
  readonly leg: LegState;
  readonly at: number;
  /** One has taken another's place, and there is nobody to talk with yet. */
  readonly isWaiting?: boolean;
  /** Channels that were being recorded. */
  readonly recorded: readonly string[];
}

interface LongNames {
  readonly caller?: string;
  readonly callee?: string;
}
