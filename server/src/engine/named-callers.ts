import type { ActiveLeg, Engine, EngineListener } from './engine.ts';
import type { EngineEvent } from './events.ts';

/** The caller's name, if it is known soon enough; never rejects. */
type LookUp = (number: string) => Promise<string | undefined>;

/** If there are more calls than this, the end of some was missed. */
const MAX_CALLS = 10_000;

/**
 * Wraps an engine so that callers from outside get names, if known: the call begins as it is, and a `leg-changed`
 * follows with the name. Everything reported later of that call has it too.
 */
export function createNamedCallers(engine: Engine, lookUp: LookUp): Engine {
  /** By call; `undefined` while looking up. */
  const names = new Map<string, string | undefined>();
  const legs = new Map<string, ActiveLeg>();
  const listeners = new Set<EngineListener>();
  const isUnnamed = ({ did, source }: ActiveLeg) => did !== '' && source.name === '' && source.number !== '';

  function named<L extends ActiveLeg>(leg: L): L {
    const name = isUnnamed(leg) ? names.get(leg.linkedId) : undefined;
    return name === undefined ? leg : { ...leg, source: { ...leg.source, name } };
  }

  async function ask({ linkedId, source }: ActiveLeg): Promise<void> {
    if (names.size >= MAX_CALLS) names.delete(names.keys().next().value as string);
    names.set(linkedId, undefined);
    const name = await lookUp(source.number);
    if (name === undefined || !names.has(linkedId)) return;
    names.set(linkedId, name);
    for (const leg of legs.values()) {
      if (leg.linkedId === linkedId && isUnnamed(leg)) tell({ type: 'leg-changed', leg: named(leg) });
    }
  }

  function tell(event: EngineEvent): void {
    for (const listener of listeners) listener(event);
  }

  /** Runs before all other listeners, so that they find the name already if it is known. */
  function note(event: EngineEvent): void {
    if (event.type === 'leg-started' || event.type === 'leg-changed') {
      const { leg } = event;
      legs.set(leg.id, leg);
      if (isUnnamed(leg) && !names.has(leg.linkedId)) void ask(leg);
    } else if (event.type === 'leg-ended' || event.type === 'leg-rested') legs.delete(event.leg.id);
    else if (event.type === 'engine-down' || event.type === 'engine-up') legs.clear();
  }

  engine.listen(note);

  return {
    ...engine,
    activeCalls: async () => (await engine.activeCalls()).map(named),
    listen(listener) {
      listeners.add(listener);
      const stop = engine.listen((event) => {
        if ('leg' in event) listener({ ...event, leg: named(event.leg) } as EngineEvent);
        else listener(event);
        if (event.type === 'call-ended') queueMicrotask(() => names.delete(event.linkedId));
      });
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
  };
}
