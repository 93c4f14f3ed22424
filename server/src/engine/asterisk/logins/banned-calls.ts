import { contains, parseNetwork } from '../../../lib/network.ts';
import type { DesiredState } from '../../desired-state.ts';
import { type Ami, AmiRefused } from '../control/ami.ts';

/** The address of a channel's other end: `192.0.2.7:5060` of a caller, `sip:201@192.0.2.7:5060` of a callee. */
const PLACES = 'CHANNEL(pjsip,remote_addr),CHANNEL(pjsip,target_uri)';
const ADDRESS = /^CHANNEL\(.*?\)=(?:sips?:(?:[^@]*@)?)?\[?([0-9a-f.:]+?)\]?(?::\d+)?(?:;.*)?$/gim;
/** Call rejected. */
const CAUSE = '21';

/**
 * Ends the calls of sources that are refused from now on. The engine refuses everything that comes from there, even a
 * phone's hangup: such a call would go on for as long as sound arrives.
 */
export function createBannedCalls({ ami }: { readonly ami: Pick<Ami, 'action' | 'list'> }) {
  let refused: ReadonlySet<string> = new Set();

  return {
    /** Called once the engine refuses them. */
    async follow({ refusedSources }: Pick<DesiredState, 'refusedSources'>): Promise<void> {
      const added = refusedSources.filter((source) => !refused.has(source));
      refused = new Set(refusedSources);
      const networks = added.flatMap((source) => parseNetwork(source) ?? []);
      if (networks.length === 0) return;
      for (const { Channel = '', Variable = '' } of await ami.list('Status', { Variables: PLACES })) {
        const ends = [...Variable.matchAll(ADDRESS)].flatMap(
          ([, address = '']) => parseNetwork(address) ?? [],
        );
        if (!ends.some((end) => networks.some((network) => contains(network, end)))) continue;
        await ami.action('Hangup', { Channel, Cause: CAUSE }).catch((error) => {
          // The call is over by now.
          if (!(error instanceof AmiRefused)) throw error;
        });
      }
    },
  };
}
