import { NO_PICKUP } from '../../call-orders.ts';
import type { ActiveLeg } from '../../engine.ts';
import type { EndedLeg } from '../../events.ts';

/** A party in a call, by its channel. Plain data: it survives a restart of the service as JSON. */
export interface PartyState {
  readonly channelId: string;
  channel: string;
  number: string;
  readonly name: string;
  readonly callId: string;
  /** The provider behind the channel; empty for a phone of ours. */
  readonly provider: string;
  readonly did: string;
  /** Of a device: the leg it was rung for. */
  readonly legId: string;
  linkedId: string;
}

/** An active leg. */
export interface LegState {
  readonly id: string;
  readonly linkedId: string;
  readonly startedAt: number;
  answeredAt: number | null;
  readonly source: PartyState;
  /** Who answered; before that the first device that was rung. */
  destination: { number: string; name: string; channelId: string; channel: string; callId: string };
  readonly did: string;
  readonly fromProvider: string;
  toProvider: string;
  dtmfDigits: string;
  readonly isTransfer: boolean;
  /** The application of the exchange that has the caller; absent in the state of earlier versions, and with people. */
  readonly application?: string;
  /** Of a queue: a person whom it rings. */
  readonly isMember?: boolean;
  /** The queue that rings it: the leg of the caller's stay there, and the queue's number. */
  readonly queueLegId?: string;
  readonly queue?: string;
  /** Of a queue: the member who took the call. */
  takenBy?: string;
  /** The previous holder of this place, which the engine is still taking out of it. */
  replaces?: string;
  /** The phones of the employee who is to make this call ring; nobody has been dialled yet. */
  readonly isOrigin?: boolean;
}

/** Whether the exchange itself has the caller; the members that a queue rings are people. */
export const isApplication = ({
  application,
  isMember,
}: Pick<LegState, 'application' | 'isMember'>): boolean => Boolean(application) && isMember !== true;

const MAX_DIGITS = 250;

/** The account of a channel, `201` in `PJSIP/201-0000002a`: an extension, or a provider. */
export function accountOf(channel: string): { readonly number: string; readonly provider: string } {
  const account = /^PJSIP\/(.+)-[0-9a-f]{8}$/.exec(channel)?.[1] ?? '';
  return /^\d+$/.test(account) ? { number: account, provider: '' } : { number: '', provider: account };
}

export const activeLeg = (leg: LegState | ActiveLeg): ActiveLeg => ({
  id: leg.id,
  linkedId: leg.linkedId,
  startedAt: leg.startedAt,
  answeredAt: leg.answeredAt,
  source: { channel: leg.source.channel, number: leg.source.number, name: leg.source.name },
  destination: {
    channel: leg.destination.channel,
    number: leg.destination.number,
    name: leg.destination.name,
  },
  did: leg.did,
  ...('application' in leg &&
    leg.application && { application: leg.application, isApplication: isApplication(leg) }),
  ...(leg.queue !== undefined && { queue: leg.queue }),
});

export const endedLeg = (leg: LegState, at: number, status: string): EndedLeg => ({
  ...activeLeg(leg),
  endedAt: Math.max(at, leg.answeredAt ?? leg.startedAt),
  ...outcome(leg, status),
  fromProvider: leg.fromProvider,
  toProvider: leg.toProvider,
  dtmfDigits: leg.dtmfDigits,
  isTransfer: leg.isTransfer,
  application: leg.application ?? '',
  isApplication: isApplication(leg),
  ...(leg.takenBy !== undefined && { member: leg.takenBy }),
  sourceCallId: leg.source.callId,
  destinationCallId: leg.destination.callId,
});

/** An application answers nothing: only a queue counts as answered, if a member did (contract 29.1.2). */
function outcome(leg: LegState, status: string): Outcome {
  const { application, answeredAt } = leg;
  if (leg.isOrigin) return { disposition: 'FAILED', dialStatus: NO_PICKUP };
  if (!isApplication(leg)) {
    const disposition = answeredAt === null ? (DISPOSITIONS[status] ?? 'FAILED') : 'ANSWERED';
    return UNASKED.has(status) ? { disposition, dialStatus: status } : { disposition };
  }
  if (answeredAt !== null) return { disposition: 'ANSWERED', dialStatus: 'ANSWER' };
  const gaveUp = application === 'queue' ? 'ABANDON' : 'CANCEL';
  return { disposition: 'NO ANSWER', dialStatus: status === 'CANCEL' ? gaveUp : status };
}

type Outcome = Pick<EndedLeg, 'disposition' | 'dialStatus'>;

/** Why nobody was even rung (contract 29.1.6). */
const UNASKED: ReadonlySet<string> = new Set(['NOROUTE', 'HANGUP', 'RESTRICTED']);

/** By the engine's status of an attempt; `CANCEL` = the caller gave up. */
const DISPOSITIONS: Readonly<Record<string, EndedLeg['disposition']>> = {
  NOANSWER: 'NO ANSWER',
  CANCEL: 'NO ANSWER',
  BUSY: 'BUSY',
  CHANUNAVAIL: 'CHANUNAVAIL',
};

export function addDigit(leg: LegState, digit: unknown): void {
  if (typeof digit === 'string' && /^[\dA-D*#]$/.test(digit) && leg.dtmfDigits.length < MAX_DIGITS)
    leg.dtmfDigits += digit;
}

/** The entries of a caller in a menu (contract 25.10), which the dialplan separates with dots. */
export const menuEntries = (written: string): string => written.slice(0, MAX_DIGITS).replaceAll('.', ',');

/** Only people take digits, and of members that a queue rings only the one who talks. */
export const takesDigits = (leg: LegState): boolean =>
  !isApplication(leg) && (leg.isMember !== true || leg.answeredAt !== null);

/** Ids are `node-epoch.count`: when calls are joined, the engine keeps the older id. */
export function isOlder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((id) =>
    id
      .slice(id.lastIndexOf('-') + 1)
      .split('.')
      .map(Number),
  );
  if (!a || !b) return false;
  return (a[0] ?? 0) < (b[0] ?? 0) || (a[0] === b[0] && (a[1] ?? 0) < (b[1] ?? 0));
}
