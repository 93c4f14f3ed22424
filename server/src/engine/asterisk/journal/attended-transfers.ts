import type { EngineEvent } from '../../events.ts';
import type { JournalLine } from './journal-line.ts';
import { activeLeg, isApplication, isOlder, type LegState, type PartyState } from './leg.ts';
import { joinedLeg } from './leg-beginnings.ts';
import type { JoinedTalk } from './legs-state.ts';

interface TransferParts {
  readonly legs: Map<string, LegState>;
  /** A party, by the id or name of its channel. */
  readonly partyOf: (channelId: string, channel: string) => PartyState | undefined;
  readonly begin: (leg: LegState) => void;
  /** Ends all legs that a channel is in. */
  readonly leave: (channelId: string, at: number) => void;
  /** A party of one call is now in another. */
  readonly moved: (from: string, to: string) => void;
  readonly recordAnew: (talk: Omit<JoinedTalk, 'recorded'>) => void;
  /** Members are now rung for another caller. */
  readonly ringFor: (stayId: string, linkedId: string) => void;
  readonly tell: (event: EngineEvent) => void;
}

/** A party connects two others and leaves: they talk, or one waits in his place, in a queue, a menu, or for a phone. */
export function createAttendedTransfers(parts: TransferParts) {
  const { legs, partyOf, begin, leave, moved, recordAnew, ringFor, tell } = parts;

  function join(one: PartyState, other: PartyState, at: number): void {
    const linkedId = isOlder(one.linkedId, other.linkedId) ? one.linkedId : other.linkedId;
    const [source, target] = other.channelId === linkedId ? [other, one] : [one, other];
    for (const party of [source, target]) {
      leave(party.channelId, at);
      moved(party.linkedId, linkedId);
      // The channel's next line may come much later.
      party.linkedId = linkedId;
    }
    const leg = joinedLeg(source, target, linkedId, at);
    begin(leg);
    recordAnew({ leg, at });
  }

  /** The leg keeps its place and its beginning, and the phones keep ringing; only its caller changes. */
  function handOver(source: PartyState, stay: LegState, at: number): void {
    const { linkedId, did, provider: fromProvider } = source;
    const replaces = stay.source.channelId;
    leave(source.channelId, at);
    for (const leg of [...legs.values()].filter((one) => one === stay || one.queueLegId === stay.id)) {
      const mine = { ...leg, source, linkedId, did, fromProvider, isTransfer: leg === stay };
      if (leg === stay) mine.replaces = replaces;
      legs.set(leg.id, mine);
      tell({ type: 'leg-changed', leg: activeLeg(mine) });
    }
    ringFor(stay.id, linkedId);
  }

  /** Waiting is never recorded (contract 27.16). */
  function replaced(channelId: string, at: number): void {
    const stay = [...legs.values()].find(({ replaces }) => replaces === channelId);
    if (!stay) return;
    delete stay.replaces;
    recordAnew({ leg: stay, at, isWaiting: true });
  }

  /** The leg of a party that waits for a phone in another's place: the engine uses the id that the other gave it. */
  const waitingIn = (channelId: string): LegState | undefined =>
    [...legs.values()].find(
      (leg) =>
        leg.source.channelId === channelId &&
        leg.isTransfer &&
        leg.answeredAt === null &&
        !isApplication(leg),
    );

  /**
   * A call ends although two of its parties still talk: it was merged with another call, which one of them is in by
   * now, and the talk goes on in that one.
   */
  function follow(linkedId: string): void {
    for (const leg of [...legs.values()]) {
      const two = [leg.source, leg.destination].map(({ channelId }) => partyOf(channelId, ''));
      const other = two.find((party) => party && party.linkedId !== linkedId)?.linkedId;
      if (leg.linkedId !== linkedId || other === undefined || !two.every(Boolean)) continue;
      const mine = { ...leg, linkedId: other };
      legs.set(leg.id, mine);
      moved(linkedId, other);
      for (const party of two) if (party) party.linkedId = other;
      if (leg.queueLegId !== undefined) ringFor(leg.queueLegId, other);
      tell({ type: 'leg-changed', leg: activeLeg(mine) });
    }
  }

  function transfer({ at, details }: JournalLine): void {
    const textOf = (name: string) => String(details[name] ?? '');
    const [one, other] = ['transferee', 'transfer_target'].map((who) =>
      partyOf(textOf(`${who}_channel_uniqueid`), textOf(`${who}_channel_name`)),
    );
    const left = textOf('channel2_uniqueid');
    const isWaiting = (leg: LegState) => isApplication(leg) || leg.answeredAt === null;
    const stay = [...legs.values()].find((leg) => leg.source.channelId === left && isWaiting(leg));
    if (one && other) join(one, other, at);
    else if (one && stay) handOver(one, stay, at);
  }

  return {
    transfer,
    waitingIn,
    follow,
    /**
     * The channel that handed over its place is gone, so the other one has it. Before that, the engine knows neither by
     * its name, and would give the place what it had before.
     */
    replaced,
  };
}
