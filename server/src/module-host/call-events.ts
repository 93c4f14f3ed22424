import type { CallFacts, EndedLeg, Leg } from '@pbxcore/module/description';

type CallEvent = 'call-started' | 'call-answered' | 'call-ended' | 'call-missed';
type LegEvent =
  | { readonly type: 'leg-started' | 'leg-changed'; readonly leg: Leg }
  | { readonly type: 'leg-ended'; readonly leg: EndedLeg }
  | { readonly type: 'call-ended'; readonly linkedId: string };

interface Known {
  facts: CallFacts;
  disposition: string;
}

/** Once more calls than this are open at once, some of them never ended. */
const MAX_CALLS = 10_000;

/** Combines the engine's events about legs into calls: each call is started, answered and ended once. */
export function createCallEvents(tell: (type: CallEvent, facts: CallFacts) => void) {
  const calls = new Map<string, Known>();

  function started(leg: Leg): Known {
    const known = calls.get(leg.linkedId);
    if (known) return known;
    if (calls.size >= MAX_CALLS) calls.delete(calls.keys().next().value as string);
    const made = { facts: factsOf(leg), disposition: '' };
    calls.set(leg.linkedId, made);
    tell('call-started', made.facts);
    return made;
  }

  return (event: LegEvent): void => {
    if (event.type === 'call-ended') {
      const known = calls.get(event.linkedId);
      calls.delete(event.linkedId);
      if (known) ended(known);
      return;
    }
    const { leg } = event;
    const known = started(leg);
    // Contract 29.4: the member answers for a queue, and its leg reports it.
    if (leg.answeredAt !== null && !leg.isApplication && known.facts.answer === null) {
      const { number: dst_num, name: dst_name } = leg.destination;
      known.facts = { ...known.facts, dst_num, dst_name, answer: leg.answeredAt };
      tell('call-answered', known.facts);
    }
    if (event.type !== 'leg-ended') return;
    const { endedAt, disposition, fromProvider, toProvider } = event.leg;
    known.disposition = known.disposition === 'ANSWERED' ? 'ANSWERED' : disposition;
    const direction = fromProvider ? 'incoming' : toProvider ? 'outgoing' : known.facts.direction;
    known.facts = { ...known.facts, direction, end: Math.max(endedAt, known.facts.end ?? 0) };
  };

  function ended({ facts, disposition }: Known): void {
    const end = facts.end ?? facts.answer ?? facts.start;
    const seconds = (from: number) => Math.max(0, Math.round((end - from) / 1000));
    const whole: CallFacts = {
      ...facts,
      end,
      duration: seconds(facts.start),
      billsec: facts.answer === null ? 0 : seconds(facts.answer),
      disposition,
    };
    tell('call-ended', whole);
    if (whole.direction === 'incoming' && whole.answer === null) tell('call-missed', whole);
  }
}

function factsOf({ linkedId, source, destination, did, startedAt }: Leg): CallFacts {
  return {
    linkedid: linkedId,
    src_num: source.number,
    src_name: source.name,
    dst_num: destination.number,
    dst_name: destination.name,
    did,
    direction: did === '' ? 'internal' : 'incoming',
    start: startedAt,
    answer: null,
    end: null,
    duration: 0,
    billsec: 0,
    disposition: '',
  };
}
