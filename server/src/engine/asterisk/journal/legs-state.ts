import type { LegState, PartyState } from './leg.ts';

/** A file that is being written while its channel lives. */
export interface OpenRecording {
  readonly channelId: string;
  readonly legId: string;
  readonly linkedId: string;
  readonly file: string;
  /** Of nobody's talk: it goes. */
  readonly isUnwanted?: boolean;
}

/** Everything that is under way, as JSON. */
export interface LegsState {
  readonly legs: readonly LegState[];
  readonly parties: readonly PartyState[];
  readonly recordings: readonly OpenRecording[];
  readonly calls: readonly string[];
  /** Long names of the next leg of a channel; absent in the state of earlier versions. */
  readonly names?: readonly (readonly [channelId: string, names: LongNames])[];
  /** Calls in which an emergency number was dialled; absent in the state of earlier versions. */
  readonly emergencies?: readonly string[];
  /** Of members of queues; absent in the state of earlier versions. */
  readonly attempts?: readonly Attempt[];
  readonly resting?: readonly RestingLeg[];
}

/** A member of a queue is being rung for a caller. */
export interface Attempt {
  /** The first is the leg's, if this one is answered or is the first. */
  readonly ids: string[];
  /** The leg of the queue. */
  readonly stayId: string;
  linkedId: string;
  readonly number: string;
  readonly name: string;
  /** The inner channel: its name, without the number of its end, and the id of the end where the dialplan runs. */
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

/** The leg of a member who did not answer a caller yet, and may be rung again. */
export interface RestingLeg {
  readonly legId: string;
  readonly stayId: string;
  readonly number: string;
  /** Of the last attempt. */
  endedAt: number;
  status: string;
  isRinging: boolean;
}

/** The talk of two whom a third connected. */
export interface JoinedTalk {
  readonly leg: LegState;
  readonly at: number;
  /** One has taken another's place, and nobody is there to talk with yet. */
  readonly isWaiting?: boolean;
  /** Channels that were being recorded. */
  readonly recorded: readonly string[];
}

interface LongNames {
  readonly caller?: string;
  readonly callee?: string;
}
