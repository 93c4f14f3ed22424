import type { LegState, PartyState } from './leg.ts';

/** A file that is being written while its channel lives. */
export interface OpenRecording {
  readonly channelId: string;
  readonly legId: string;
  readonly linkedId: string;
  readonly file: string;
}

/** Everything that is under way, as JSON. */
export interface LegsState {
  readonly legs: readonly LegState[];
  readonly parties: readonly PartyState[];
  readonly recordings: readonly OpenRecording[];
  readonly calls: readonly string[];
  /** Long names of the next leg of a channel; absent in the state of earlier versions. */
  readonly names?: readonly (readonly [channelId: string, names: LongNames])[];
}

/** The talk of two whom a third connected. */
export interface JoinedTalk {
  readonly leg: LegState;
  readonly at: number;
  /** Channels that were being recorded. */
  readonly recorded: readonly string[];
}

interface LongNames {
  readonly caller?: string;
  readonly callee?: string;
}
