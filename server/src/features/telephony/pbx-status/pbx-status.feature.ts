import type { Device } from '../../../engine/engine.ts';
import type { EngineView } from '../../../engine/engine-view.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type Network, parseAddress } from '../../../lib/network.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import { createEngineProviderStates } from './engine-provider-states.ts';
import { pbxStatusRoutes } from './pbx-status.routes.ts';
import { followProviderStateChanges } from './provider-state-changes.ts';
import { createStatusBoard } from './status-board.ts';

interface PbxStatusParts {
  /** Of this node's own engine; `undefined` when it has none. */
  readonly view: EngineView | undefined;
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
  readonly clock: Clock;
  readonly timezone: string;
  /** Called when the status cannot be shared with other nodes. */
  readonly onError: (error: unknown) => void;
}

/** The status of the engine, for every node and every feature that asks. */
export function createPbxStatusFeature({ view, timezone, ...parts }: PbxStatusParts) {
  const board = createStatusBoard({ view, ...parts });
  return {
    board,
    routes: pbxStatusRoutes({ board, timezone }),
    providerStates: createEngineProviderStates({ board }),
    onProviderStateChange(
      record: Parameters<typeof followProviderStateChanges>[0]['record'],
      onError: (error: unknown) => void,
    ) {
      if (view) followProviderStateChanges({ view, record, onError });
    },
    /**
     * Whether another account than this one is registered from the address and can be reached. If nothing is known, the
     * answer is no: an address is not spared on a guess (contract 17.7).
     */
    async isAnotherWorking(address: Network, account: string): Promise<boolean> {
      const { engine, extensions } = await board.read();
      const isThere = ({ address: text, reach }: Device) =>
        reach !== 'unreachable' && parseAddress(text)?.text === address.text;
      return (
        engine === 'up' &&
        [...extensions.values()].some(({ number, devices }) => number !== account && devices.some(isThere))
      );
    },
    close: board.close,
  };
}
