import type { ActiveLeg, Engine } from '../../engine/engine.ts';
import type { EngineView } from '../../engine/engine-view.ts';
import type { EndedLeg } from '../../engine/events.ts';
import { wallText, wallTime } from '../../lib/zoned-time.ts';
import { remembered, type StatusSource } from '../../store/events/status-teller.ts';
import { activeCalls } from './pbx-status/active-calls.ts';
import type { SpeakingFor } from './status-sources.ts';

/** Most calls kept: some may never be reported as over. */
const KEPT_CALLS = 10_000;

const NOBODY: ReadonlyMap<string, ActiveLeg> = new Map();

type ActiveCall = ReturnType<typeof activeCalls>[number];

interface CallSourceParts {
  readonly engine: Pick<Engine, 'listen'>;
  /** `undefined`: this node has no engine. */
  readonly view: EngineView | undefined;
  readonly speaking: SpeakingFor;
  readonly timezone: string;
}

/** Calls as published: until they are over, and how they ended. */
export function createCallSource({ engine, view, speaking, timezone }: CallSourceParts): StatusSource {
  const ended = new Map<string, { legs: EndedLeg[]; isOver: boolean }>();

  function endOf(linkedId: string) {
    const known = ended.get(linkedId);
    if (known) return known;
    if (ended.size >= KEPT_CALLS) ended.delete(ended.keys().next().value as string);
    const made = { legs: [], isOver: false };
    ended.set(linkedId, made);
    return made;
  }

  engine.listen((event) => {
    if (event.type === 'leg-ended') endOf(event.leg.linkedId).legs.push(event.leg);
    else if (event.type === 'call-ended') endOf(event.linkedId).isOver = true;
  });

  const callsOf = remembered((all: ReadonlyMap<string, ActiveLeg>) => {
    const legs = [...all.values()];
    const held = new Set(legs.filter(({ isHeld }) => isHeld).map(({ linkedId }) => linkedId));
    return new Map(
      activeCalls(legs, timezone).map((call) => {
        const state = stateOf(call, held.has(call.linkedid));
        return [call.linkedid, { record: { ...call, state } }];
      }),
    );
  });

  return {
    topic: 'calls',
    event: 'call',
    async read() {
      const ours = await speaking();
      if (!ours) return undefined;
      // Nothing is known of the calls of a silent node, and nobody will report their end: leave them out, as
      // `getActiveCalls` does.
      const now = ours.of === 'own' ? view?.current() : undefined;
      // While the engine is away, nothing is known of calls and nothing is published (contract 6).
      if (now && now.awaySince !== undefined) return undefined;
      return callsOf(now?.legs ?? NOBODY);
    },
    gone(linkedid, last) {
      const end = ended.get(linkedid);
      // Between two legs of a call nobody may be connected, yet it is not over.
      if (end && !end.isOver) return undefined;
      ended.delete(linkedid);
      return { ...last, ...(end ? totals(end.legs, timezone) : {}), state: 'ended' };
    },
  };
}

const stateOf = ({ answer }: ActiveCall, isHeld: boolean): 'ringing' | 'talking' | 'held' =>
  answer === '' ? 'ringing' : isHeld ? 'held' : 'talking';

/** As the call record will show it (contract 5.3, 29.2). */
function totals(legs: readonly EndedLeg[], timezone: string) {
  const inOrder = [...legs].sort((a, b) => a.startedAt - b.startedAt);
  const answered = inOrder.find(({ disposition }) => disposition === 'ANSWERED');
  const seconds = (from: number | null, to: number) =>
    from === null ? 0 : Math.max(0, Math.floor((to - from) / 1000));
  const sum = (of: (leg: EndedLeg) => number) => legs.reduce((all, leg) => all + of(leg), 0);
  const last = Math.max(...legs.map(({ endedAt }) => endedAt));
  // Legs of a queue overlap.
  const isSpan = legs.some(({ isApplication }) => isApplication);
  return {
    ...(legs.length > 0 && { endtime: wallText(wallTime(last, timezone)) }),
    disposition: answered?.disposition ?? inOrder[0]?.disposition ?? '',
    totalDuration: isSpan
      ? seconds(inOrder[0]?.startedAt ?? null, last)
      : sum((leg) => seconds(leg.startedAt, leg.endedAt)),
    totalBillsec: sum((leg) => (leg.isApplication ? 0 : seconds(leg.answeredAt, leg.endedAt))),
  };
}
