import type { Engine } from '../../engine/engine.ts';
import type { EngineView } from '../../engine/engine-view.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import { createStatusTeller } from '../../store/events/status-teller.ts';
import { createCallSource } from './call-source.ts';
import type { ConfiguredEngine } from './engine.ts';
import type { StatusBoard } from './pbx-status/status-board.ts';
import type { Sip } from './sip/sip.service.ts';
import type { ProviderStatuses } from './sip-providers/provider-statuses.service.ts';
import { engineSource, extensionSource, providerSource } from './status-sources.ts';

interface LiveParts {
  readonly events: EventLog;
  readonly engine: Engine;
  /** `undefined`: this node has no engine. */
  readonly view: EngineView | undefined;
  readonly board: StatusBoard;
  readonly sip: Sip;
  readonly providers: ProviderStatuses;
  /** `undefined`: the engine was given, and is known by what it says. */
  readonly configured: ConfiguredEngine | undefined;
  readonly timezone: string;
  readonly onError: (error: unknown) => void;
}

/** Tells calls, phones, providers and the engine as they change (contract 30). */
export function createLiveStatuses(parts: LiveParts) {
  const { events, engine, view, board, sip, providers, configured, timezone, onError } = parts;

  /** The node that has the engine tells; where nobody has one, the node that speaks for all. */
  async function isOurs(): Promise<boolean> {
    if (view?.hasEngine()) return true;
    return events.isSpeaker && (await board.read()).engine === 'none';
  }

  const teller = createStatusTeller({
    events,
    sources: [
      engineSource({ view, configured, isOurs }),
      createCallSource({ engine, view, isOurs, timezone }),
      extensionSource(sip, isOurs),
      providerSource(providers, isOurs),
    ],
    onError,
  });
  view?.onChange(teller.changed);
  configured?.onStatus(teller.changed);
  return teller;
}
