import { originLegId } from '../../call-orders.ts';
import type { ActiveLeg } from '../../engine.ts';
import type { EngineEvent } from '../../events.ts';
import { LEG_EVENTS } from '../dialplan/journal-format.ts';
import { createAttendedTransfers } from './attended-transfers.ts';
import { createEmergencyCalls } from './emergency-calls.ts';
import type { JournalLine } from './journal-line.ts';
import {
  accountOf,
  activeLeg,
  addDigit,
  endedLeg,
  isApplication,
  type LegState,
  menuEntries,
  type PartyState,
  takesDigits,
} from './leg.ts';
import { begunLeg, originLeg, unannouncedLeg } from './leg-beginnings.ts';
import type { JoinedTalk, LegsState, OpenRecording } from './legs-state.ts';
import { createQueueLegs } from './queue-legs.ts';

interface LegsParts {
  readonly tell: (event: EngineEvent) => void;
  /** The file is no longer written to; `isLost` = because the engine died. */
  readonly recordingClosed: (recording: OpenRecording, isLost: boolean) => void;
  /** Two parties were connected by a third: the recordings of both are over, and what they say now is another talk. */
  readonly joined?: ((talk: JoinedTalk) => OpenRecording | undefined) | undefined;
  /** A provider refused a call because it does not know us. */
  readonly refused?: ((providerId: string) => void) | undefined;
  readonly state?: LegsState | undefined;
}

/**
 * Makes legs of the journal's lines. The same lines give the same legs with the same ids, whether they are read at once
 * or a day later: so an outage loses and doubles nothing.
 */
export function createLegs({ tell: tellAll, recordingClosed, joined, refused, state }: LegsParts) {
  const legs = new Map(state?.legs.map((leg) => [leg.id, leg]));
  const parties = new Map(state?.parties.map((party) => [party.channelId, party]));
  const recordings = new Map(state?.recordings.map((recording) => [recording.channelId, recording]));
  /** Calls with a leg that was reported. */
  const calls = new Set(state?.calls);
  const names = new Map(state?.names);
  const underWay = () => [...legs.values()].filter((leg) => !queues.isResting(leg));
  const emergencies = createEmergencyCalls({ underWay, tell: tellAll, linkedIds: state?.emergencies });
  const { tell } = emergencies;

  const isIn = (leg: LegState, channelId: string) =>
    leg.source.channelId === channelId || leg.destination.channelId === channelId;

  function begin(leg: LegState): void {
    legs.set(leg.id, leg);
    calls.add(leg.linkedId);
    tell({ type: 'leg-started', leg: activeLeg(leg) });
  }

  function end(leg: LegState, at: number, status = 'CANCEL'): void {
    if (!legs.delete(leg.id)) return;
    tell({ type: 'leg-ended', leg: endedLeg(leg, at, status) });
    if (isApplication(leg)) queues.close(leg.id, at);
  }

  const lost = (channelId: string) => {
    const recording = recordings.get(channelId);
    if (recording) recordings.set(channelId, { ...recording, isUnwanted: true });
  };
  const queues = createQueueLegs({ tell, legOf: (id) => legs.get(id), begin, end, lost, refused, ...state });

  /** The employee for whom a call was ordered picked up: it goes on as his own. */
  function pickedUp(linkedId: string): void {
    const leg = legs.get(originLegId(linkedId));
    if (leg && legs.delete(leg.id)) tell({ type: 'leg-rested', leg: activeLeg(leg) });
  }

  function endCall(linkedId: string, at: number): void {
    for (const leg of [...legs.values()]) if (leg.linkedId === linkedId) end(leg, at);
    queues.endCall(linkedId);
    if (calls.delete(linkedId)) tell({ type: 'call-ended', linkedId });
    emergencies.end(linkedId);
  }

  function closeRecording(channelId: string, isLost = false): void {
    const recording = recordings.get(channelId);
    if (!recording) return;
    recordings.delete(channelId);
    recordingClosed(recording, isLost);
  }

  /** Ends the matching legs of a channel that moves on or leaves. */
  function leave(channelId: string, at: number, which: (leg: LegState) => boolean): void {
    for (const leg of [...legs.values()]) if (isIn(leg, channelId) && which(leg)) end(leg, at);
  }

  function party(line: JournalLine, known: Partial<PartyState>): PartyState {
    const { channelId, channel, linkedId } = line;
    const none = { number: '', name: '', callId: '', provider: '', did: '', legId: '' };
    const made = { ...none, ...known, channelId, channel, linkedId };
    parties.set(channelId, made);
    return made;
  }

  function recordAnew(talk: Omit<JoinedTalk, 'recorded'>): void {
    const { leg } = talk;
    const channelIds = [leg.source.channelId, leg.destination.channelId];
    const before = channelIds.flatMap((id) => recordings.get(id) ?? []);
    const recording = joined?.({ ...talk, recorded: before.map(({ channelId }) => channelId) });
    // It was too late to change the recordings: the old ones go on.
    if (!recording) return;
    for (const { channelId } of before) closeRecording(channelId);
    if (recording.file !== '') recordings.set(recording.channelId, recording);
  }

  /**
   * A device is rung for a leg whose beginning could not be read: it becomes a leg all the same, made from its id and
   * the names of the channels.
   */
  function beginUnannounced(id: string, line: JournalLine): LegState | undefined {
    const channelId = id.slice(0, id.lastIndexOf('-'));
    if (channelId === '') return undefined;
    const known = parties.get(channelId) ?? party({ ...line, channelId, channel: '' }, {});
    leave(channelId, line.at, () => true);
    closeRecording(channelId);
    begin(unannouncedLeg(id, line, known));
    return legs.get(id);
  }

  const transfers = createAttendedTransfers({
    legs,
    partyOf: (channelId, channel) => parties.get(channelId) ?? parties.get(queues.behind(channel)),
    begin,
    leave: (channelId, at) => leave(channelId, at, () => true),
    moved: emergencies.move,
    recordAnew,
    ringFor: queues.ringFor,
    tell,
  });

  const handlers: Readonly<Record<string, (line: JournalLine) => void>> = {
    [LEG_EVENTS.name]({ channelId, fields: [side = '', name = ''] }) {
      names.set(channelId, { ...names.get(channelId), [side]: name });
    },

    [LEG_EVENTS.begun](line) {
      const { caller, callee } = names.get(line.channelId) ?? {};
      names.delete(line.channelId);
      const [id = '', number = '', shortName = '', , toShortName = ''] = line.fields;
      const [from = '', to = '', did = '', , callId = ''] = line.fields.slice(5);
      const [name, toName] = [caller ?? shortName, callee ?? toShortName];
      const attempt = queues.within(line.channelId);
      if (attempt) return queues.goOut(attempt, id, to);
      if (id === '' || legs.has(id)) return;
      leave(line.channelId, line.at, () => true);
      closeRecording(line.channelId);
      begin(begunLeg(line, party(line, { number, name, callId, provider: from, did }), toName));
      pickedUp(line.linkedId);
    },

    [LEG_EVENTS.origin](line) {
      const [id = '', number = '', name = ''] = line.fields;
      if (id !== '' && !legs.has(id)) begin(originLeg(line, party(line, { number, name })));
    },

    [LEG_EVENTS.device](line) {
      const [id = '', callId = ''] = line.fields;
      const attempt = queues.of(id);
      if (attempt) return queues.reach(attempt, party(line, { ...queues.party(attempt), callId, legId: id }));
      const leg = legs.get(id) ?? beginUnannounced(id, line);
      if (!leg) return;
      const { number, name, channelId } = leg.destination;
      party(line, { number, name, callId, provider: leg.toProvider, legId: id });
      if (channelId === '')
        leg.destination = { number, name, channelId: line.channelId, channel: line.channel, callId };
    },

    [LEG_EVENTS.recorded](line) {
      const [legId = '', file = ''] = line.fields;
      const attempt = queues.of(legId);
      const linkedId = (attempt ?? legs.get(legId))?.linkedId;
      if (linkedId === undefined) return;
      const { channelId } = line;
      recordings.set(channelId, { channelId, legId: attempt?.ids[0] ?? legId, linkedId, file });
    },

    [LEG_EVENTS.keys]({ fields: [id = '', entries = ''] }) {
      const leg = legs.get(id);
      if (leg) leg.dtmfDigits = menuEntries(entries);
    },

    [LEG_EVENTS.ended](line) {
      const [id = '', status = '', entries = ''] = line.fields;
      const attempt = queues.of(id);
      if (attempt) return queues.fail(attempt, status, line.at);
      const leg = legs.get(id) ?? transfers.waitingIn(line.channelId);
      if (!leg) return;
      if (entries !== '') leg.dtmfDigits = menuEntries(entries);
      end(leg, line.at, status);
      if (status === 'REFUSED') refused?.(leg.toProvider);
    },

    [LEG_EVENTS.emergency]({ linkedId, fields }) {
      const [callerNumber = '', callerName = '', number = '', providerId = ''] = fields;
      emergencies.begin(linkedId);
      tell({ type: 'emergency-call', linkedId, callerNumber, callerName, number, providerId });
    },

    ANSWER({ channelId, channel, at }) {
      const device = parties.get(channelId);
      const attempt = device && queues.of(device.legId);
      if (attempt) return queues.answer(attempt, { channelId, channel, callId: device.callId }, at);
      const leg = device && legs.get(device.legId);
      if (!leg || leg.answeredAt !== null) return;
      leg.answeredAt = at;
      leg.destination = { ...leg.destination, channelId, channel, callId: device.callId };
      tell({ type: 'leg-changed', leg: activeLeg(leg) });
    },

    [LEG_EVENTS.member]: queues.ring,
    [LEG_EVENTS.taken]: queues.take,

    BRIDGE_EXIT({ channelId, at }) {
      if (!queues.isMoving(channelId)) leave(channelId, at, ({ answeredAt }) => answeredAt !== null);
    },

    HANGUP({ channelId, at }) {
      queues.hangUp(channelId, at);
      queues.deviceGone(parties.get(channelId)?.legId ?? '', channelId);
      // In an ordered call, the inner channel goes first, whether the employee picks up or not.
      leave(channelId, at, (leg) =>
        leg.source.channelId === channelId ? !leg.isOrigin : leg.answeredAt !== null,
      );
      closeRecording(channelId);
      transfers.replaced(channelId, at);
      parties.delete(channelId);
      names.delete(channelId);
    },

    ATTENDEDTRANSFER: transfers.transfer,

    /** Written for both channels that a digit passes; the caller's has all. Applications report at their end. */
    DTMF({ channelId, details }) {
      for (const leg of legs.values())
        if (leg.source.channelId === channelId && takesDigits(leg)) addDigit(leg, details.digit);
    },

    LINKEDID_END({ linkedId, at }) {
      transfers.follow(linkedId);
      endCall(linkedId, at);
    },
  };

  return {
    take(line: JournalLine): void {
      const known = parties.get(line.channelId);
      if (known) {
        if (known.linkedId !== line.linkedId) emergencies.move(known.linkedId, line.linkedId);
        known.linkedId = line.linkedId;
        if (known.channel === '') {
          known.channel = line.channel;
          known.number = accountOf(line.channel).number;
        }
      }
      handlers[line.type]?.(line);
    },

    /** Members of queues who are not ringing right now are left out. */
    open: (): ActiveLeg[] => underWay().map((leg) => emergencies.marked(activeLeg(leg))),
    /** Legs that are not answered yet. */
    waiting: (): LegState[] => underWay().filter(({ answeredAt }) => answeredAt === null),
    isIdle: (): boolean => legs.size === 0,
    channelIds: (): Set<string> => new Set(parties.keys()),

    /** These channels are gone without a line in the journal: the engine died. */
    lose(channelIds: ReadonlySet<string>, at: number): void {
      const lost = new Set<string>();
      for (const leg of legs.values())
        if (channelIds.has(leg.source.channelId) || channelIds.has(leg.destination.channelId))
          lost.add(leg.linkedId);
      for (const channelId of channelIds) {
        leave(channelId, at, () => true);
        closeRecording(channelId, true);
        const gone = parties.get(channelId);
        if (gone) lost.add(gone.linkedId);
        parties.delete(channelId);
      }
      const live = new Set([...parties.values()].map(({ linkedId }) => linkedId));
      for (const linkedId of lost) if (!live.has(linkedId)) endCall(linkedId, at);
    },

    state: (): LegsState => ({
      legs: [...legs.values()],
      parties: [...parties.values()],
      recordings: [...recordings.values()],
      calls: [...calls],
      names: [...names],
      emergencies: emergencies.state(),
      ...queues.state(),
    }),
  };
}
