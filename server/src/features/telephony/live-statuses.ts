import type { Engine } from '../../engine/engine.ts';
import type { EngineView } from '../../engine/engine-view.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import { createStatusTeller } from '../../store/events/status-teller.ts';
import { createCallSource } from './call-source.ts';
import type { ConfiguredEngine } from './engine.ts';
import type { StatusBoard } from './pbx-status/status-board.ts';
import type { Sip } from './sip/sip.service.ts';
import type { ProviderStatuses } from './sip-providers/provider-statuses.service.ts';
import { engineSource, extensionSource, providerSource, type Speaking } from './status-sources.ts';

/** How often the node that speaks for all checks whether the one with the engine is still heard. */
const LOOK_MS = 2000;

interface LiveParts {
  readonly events: EventLog;
  readonly engine: Engine;
  /** `undefined`: this node has no engine. */
  readonly view: EngineView | undefined;
  readonly board: StatusBoard;
  readonly sip: Sip;
  readonly providers: ProviderStatuses;
  /** `undefined`: the engine was passed in, and only what it reports is known. */
  readonly configured: ConfiguredEngine | undefined;
  readonly timezone: string;
  readonly onError: (error: unknown) => void;
}

/** Publishes calls, phones, providers and the engine as they change (contract 30). */
export function createLiveStatuses(parts: LiveParts) {
  const { events, engine, view, board, sip, providers, configured, timezone, onError } = parts;

  /** The node with the engine publishes; if no node has one, or that node is silent, the node that speaks for all. */
  async function speaking(): Promise<Speaking | undefined> {
    if (view?.hasEngine()) return { of: 'own' };
    if (!events.isSpeaker) return undefined;
    const { engine: state, isHeard, awaySince = 0 } = await board.read();
    if (state === 'none') return { of: 'none' };
    return isHeard ? undefined : { of: 'unheard', since: awaySince };
  }

  const teller = createStatusTeller({
    events,
    sources: [
      engineSource({ view, configured, speaking }),
      createCallSource({ engine, view, speaking, timezone }),
      extensionSource(sip, speaking),
      providerSource(providers, speaking),
    ],
    onError,
  });
  view?.onChange(teller.changed);
  configured?.onStatus(teller.changed);
  board.onHeardAgain(teller.compareAnew);
  // No event reports that another node fell silent, or that its engine counts as lost after a minute.
  const timer = setInterval(() => {
    if (events.kind === 'redis' && events.isSpeaker && !view?.hasEngine()) teller.changed();
  }, LOOK_MS);
  timer.unref();

  return {
    ...teller,
    speaking,
    async close(): Promise<void> {
      clearInterval(timer);
      await teller.close();
    },
  };
}
