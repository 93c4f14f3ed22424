import type { EngineEvent } from '../../events.ts';
import type { JournalLine } from './journal-line.ts';
import { activeLeg, isApplication, isOlder, type LegState, type PartyState } from './leg.ts';
import { joinedLeg } from './leg-beginnings.ts';
import type { JoinedTalk } from './legs-state.ts';

interface TransferParts {
  readonly legs: Map<string, LegState>;
  /** Somebody, by id or name of the channel. */
  readonly partyOf: (channelId: string, channel: string) => PartyState | undefined;
  readonly begin: (leg: LegState) => void;
  /** All legs that a channel is in are over. */
  readonly leave: (channelId: string, at: number) => void;
  /** Somebody of one call is in another now. */
  readonly moved: (from: string, to: string) => void;
  readonly recordAnew: (talk: Omit<JoinedTalk, 'recorded'>) => void;
  /** Members are rung for another caller than before. */
  readonly ringFor: (stayId: string, linkedId: string) => void;
  readonly tell: (event: EngineEvent) => void;
}

/** Who asked first connects two and leaves: both talk, or one waits in his place, in a queue or menu or for a phone that rings. */
export function createAttendedTransfers(parts: TransferParts) {
  const { legs, partyOf, begin, leave, moved, recordAnew, ringFor, tell } = parts;

  function join(one: PartyState, other: PartyState, at: number): void {
    const linkedId = isOlder(one.linkedId, other.linkedId) ? one.linkedId : other.linkedId;
    const [source, target] = other.channelId === linkedId ? [other, one] : [one, other];
    for (const party of [source, target]) {
      leave(party.channelId, at);
      moved(party.linkedId, linkedId);
      // The next line of the channel may be long in coming.
      party.linkedId = linkedId;
    }
    const leg = joinedLeg(source, target, linkedId, at);
    begin(leg);
    recordAnew({ leg, at });
  }

  /** The leg goes on with its place and its beginning, and so do the phones that ring; only whose it is changes. */
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

  /** The leg of who waits for a phone in another's place: the engine names it by the number that the one before gave it. */
  const waitingIn = (channelId: string): LegState | undefined =>
    [...legs.values()].find(
      (leg) =>
        leg.source.channelId === channelId &&
        leg.isTransfer &&
        leg.answeredAt === null &&
        !isApplication(leg),
    );

  /**
   * A call ends although two of it still talk: it has become one with another, in which somebody of it is by now, and what goes on
   * does so in that one.
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
     * Who handed over a place is gone, so the other has it. Before that the engine knows neither by its name, and would give
     * the place what it had before.
     */
    replaced,
  };
}
