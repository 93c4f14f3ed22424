import type { EngineEvent } from '../../events.ts';
import type { JournalLine } from './journal-line.ts';
import { activeLeg, type LegState, type PartyState } from './leg.ts';
import { blankLeg } from './leg-beginnings.ts';
import type { Attempt, RestingLeg } from './legs-state.ts';

interface QueueLegsParts {
  readonly tell: (event: EngineEvent) => void;
  readonly legOf: (id: string) => LegState | undefined;
  readonly begin: (leg: LegState) => void;
  readonly end: (leg: LegState, at: number, status?: string) => void;
  /** Somebody picked up, but the queue gave the caller to another member: the recording there holds no talk. */
  readonly lost: (channelId: string) => void;
  /** A provider refused a call because it does not know us. */
  readonly refused?: ((providerId: string) => void) | undefined;
  readonly attempts?: readonly Attempt[] | undefined;
  readonly resting?: readonly RestingLeg[] | undefined;
}

/**
 * Legs of the members of queues (contract 29.1.4). All attempts on one member that it did not answer during one stay of
 * a caller are one leg, reported as ended when the stay is over; an attempt that it answered is a leg of its own. The
 * caller is the source of all, whatever inner channels are in between.
 */
export function createQueueLegs({ tell, legOf, begin, end, lost, refused, ...state }: QueueLegsParts) {
  /** By every id that the dialplan gave an attempt; `inner` by the name and the id of its inner channel. */
  const attempts = new Map<string, Attempt>();
  const inner = new Map<string, Attempt>();
  /** Channels of members who took a call, while the inner channel exists. */
  const moving = new Set<string>();
  for (const attempt of state.attempts ?? []) keep(attempt);
  const resting = new Map(state.resting?.map((rest) => [keyOf(rest), rest]));

  function keep(attempt: Attempt): void {
    for (const id of attempt.ids) attempts.set(id, attempt);
    inner.set(attempt.inner, attempt).set(attempt.innerId, attempt);
    if (attempt.isTaken && attempt.device) moving.add(attempt.device.channelId);
  }

  function forget(attempt: Attempt): void {
    for (const id of attempt.ids) attempts.delete(id);
    inner.delete(attempt.inner);
    inner.delete(attempt.innerId);
    if (attempt.device) moving.delete(attempt.device.channelId);
  }

  /** The leg of the attempts that a member did not answer. */
  const unanswered = (attempt: Attempt): RestingLeg | undefined => resting.get(keyOf(attempt));

  function legFrom(attempt: Attempt, queue: LegState): LegState {
    const { number, name, startedAt, toProvider, device } = attempt;
    const { linkedId, source, did, fromProvider } = queue;
    const blank = blankLeg({ id: attempt.ids[0] as string, linkedId, startedAt, source });
    return {
      ...blank,
      destination: { ...blank.destination, number, name, ...device },
      did,
      fromProvider,
      toProvider,
      application: 'queue',
      isMember: true,
      queueLegId: queue.id,
      queue: queue.destination.number,
    };
  }

  /** The member does not ring any more, for now. */
  function rest(attempt: Attempt, at: number): void {
    forget(attempt);
    if (attempt.answeredAt !== undefined && attempt.device) lost(attempt.device.channelId);
    const known = unanswered(attempt);
    const leg = known && legOf(known.legId);
    if (!leg) return;
    Object.assign(known, {
      endedAt: attempt.failedAt ?? at,
      status: attempt.status ?? 'CANCEL',
      isRinging: false,
    });
    tell({ type: 'leg-rested', leg: activeLeg(leg) });
  }

  function closeUnanswered(known: RestingLeg, at: number): void {
    resting.delete(keyOf(known));
    const leg = legOf(known.legId);
    if (leg) end(leg, known.isRinging ? at : known.endedAt, known.isRinging ? 'CANCEL' : known.status);
  }

  return {
    of: (legId: string): Attempt | undefined => attempts.get(legId),
    /** The attempt that this inner channel belongs to. */
    within: (channelId: string): Attempt | undefined => inner.get(channelId),

    ring({ fields, channelId, channel, at }: JournalLine): void {
      const [id = '', stayId = '', number = '', name = ''] = fields;
      const queue = legOf(stayId);
      if (id === '' || !queue || attempts.has(id)) return;
      const { linkedId } = queue;
      const attempt: Attempt = {
        ids: [id],
        stayId,
        linkedId,
        number,
        name,
        inner: nameOf(channel),
        innerId: channelId,
        startedAt: at,
        toProvider: '',
      };
      keep(attempt);
      const known = unanswered(attempt);
      const leg = known && legOf(known.legId);
      if (leg) {
        known.isRinging = true;
        tell({ type: 'leg-changed', leg: activeLeg(leg) });
        return;
      }
      resting.set(keyOf(attempt), {
        legId: id,
        stayId,
        number,
        endedAt: at,
        status: 'CANCEL',
        isRinging: true,
      });
      begin(legFrom(attempt, queue));
    },

    /** For a call over providers, the dialplan uses a new id for each of them. */
    goOut(attempt: Attempt, id: string, provider: string): void {
      attempt.ids.push(id);
      attempt.toProvider = provider;
      // The status of the previous provider says nothing about this one.
      delete attempt.status;
      delete attempt.failedAt;
      attempts.set(id, attempt);
      const leg = legOf(unanswered(attempt)?.legId ?? '');
      if (leg) leg.toProvider = provider;
    },

    party: ({ number, name, toProvider }: Attempt) => ({ number, name, provider: toProvider }),

    reach(attempt: Attempt, { channelId, channel, callId }: PartyState): void {
      const device = { channelId, channel, callId };
      attempt.device = device;
      const leg = legOf(unanswered(attempt)?.legId ?? '');
      if (leg) leg.destination = { ...leg.destination, ...device };
    },

    answer(attempt: Attempt, device: NonNullable<Attempt['device']>, at: number): void {
      attempt.answeredAt ??= at;
      attempt.device = device;
    },

    /** The queue has given the caller to this member: only now have others who picked up too lost. */
    take({ channel, at }: JournalLine): void {
      const attempt = inner.get(nameOf(channel));
      const queue = attempt && legOf(attempt.stayId);
      if (!attempt || !queue) return;
      attempt.isTaken = true;
      keep(attempt);
      const answeredAt = attempt.answeredAt ?? at;
      const first = unanswered(attempt);
      let leg = legOf(attempt.ids[0] as string);
      if (leg) resting.delete(keyOf(attempt));
      else {
        if (first) closeUnanswered({ ...first, isRinging: false }, at);
        leg = legFrom(attempt, queue);
        begin(leg);
      }
      leg.answeredAt = answeredAt;
      leg.destination = { ...leg.destination, ...attempt.device };
      queue.answeredAt = answeredAt;
      queue.takenBy = attempt.number;
      end(queue, answeredAt);
      tell({ type: 'leg-changed', leg: activeLeg(leg) });
    },

    /** Another caller waits in this place now. */
    ringFor(stayId: string, linkedId: string): void {
      for (const attempt of attempts.values()) if (attempt.stayId === stayId) attempt.linkedId = linkedId;
    },

    /** The stay is over, and with it the legs of all members who did not answer. */
    close(stayId: string, at: number): void {
      for (const known of [...resting.values()]) if (known.stayId === stayId) closeUnanswered(known, at);
    },

    fail(attempt: Attempt, status: string, at: number): void {
      Object.assign(attempt, { status, failedAt: at });
      if (status === 'REFUSED') refused?.(attempt.toProvider);
    },

    /** The channel that talks behind an inner channel that stays in the call, by its name. */
    behind: (channel: string): string => inner.get(nameOf(channel))?.device?.channelId ?? '',

    /** When the inner channel leaves the call, the device moves from one bridge to another and both sides talk on. */
    isMoving: (channelId: string): boolean => moving.has(channelId),

    hangUp(channelId: string, at: number): void {
      const attempt = inner.get(channelId);
      if (!attempt) return;
      if (attempt.isTaken) forget(attempt);
      else rest(attempt, at);
    },

    /** If a member picked up without getting the caller, the phone may be gone before the inner channel. */
    deviceGone(legId: string, channelId: string): void {
      const attempt = attempts.get(legId);
      if (attempt?.device?.channelId === channelId && attempt.answeredAt !== undefined && !attempt.isTaken)
        lost(channelId);
    },

    /** True for a member's leg while it does not ring. */
    isResting: ({ id, isMember, destination, queueLegId = '' }: LegState): boolean => {
      const known = isMember ? resting.get(`${queueLegId} ${destination.number}`) : undefined;
      return known?.legId === id && !known.isRinging;
    },

    endCall(linkedId: string): void {
      for (const attempt of new Set(attempts.values())) if (attempt.linkedId === linkedId) forget(attempt);
    },

    state: () => ({ attempts: [...new Set(attempts.values())], resting: [...resting.values()] }),
  };
}

const keyOf = ({ stayId, number }: Pick<RestingLeg, 'stayId' | 'number'>): string => `${stayId} ${number}`;

/** `Local/201@pbx-member-00000012`, of either end of it. */
const nameOf = (channel: string): string => channel.replace(/;\d$/, '');
