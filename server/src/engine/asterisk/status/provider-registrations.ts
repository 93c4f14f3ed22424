import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredProvider, DesiredState } from '../../desired-state.ts';
import { providerEndpoint } from '../config/pjsip-provider.ts';
import { type Ami, AmiRefused } from '../control/ami.ts';

/** So long a provider may take to confirm that we unregister; nobody waits for one that is gone. */
const LEAVE_MS = 2000;
const LOOK_MS = 50;
/** A provider that refuses every call is not asked at every call. */
const DOUBT_MS = 30_000;

/**
 * Makes a change of a provider hold at once. The engine looks at a new secret only when it has to register again, and
 * cannot unregister once it has forgotten the login.
 */
export function createProviderRegistrations({ ami }: { readonly ami: Pick<Ami, 'action' | 'list'> }) {
  let served: readonly DesiredProvider[] = [];
  const doubtedAt = new Map<string, number>();

  /** Refused: it has none of that name, or is at it already. */
  async function order(
    action: 'PJSIPRegister' | 'PJSIPUnregister',
    provider: DesiredProvider,
  ): Promise<void> {
    await ami.action(action, { Registration: providerEndpoint(provider.id) }).catch((error) => {
      if (!(error instanceof AmiRefused)) throw error;
    });
  }

  async function areGone(providers: readonly DesiredProvider[]): Promise<boolean> {
    const names = new Set(providers.map(({ id }) => providerEndpoint(id)));
    const list = await ami.list('PJSIPShowRegistrationsOutbound');
    return !list.some(({ ObjectName = '', Status }) => names.has(ObjectName) && Status === 'Registered');
  }

  return {
    /** Before the engine is told: what is to end, or to be somewhere else, is taken back with the login it was made with. */
    async leave({ providers }: DesiredState): Promise<void> {
      const next = new Map(providers.map((provider) => [provider.id, provider]));
      const left = outbound(served).filter((before) => placeOf(before) !== placeOf(next.get(before.id)));
      if (left.length === 0) return;
      for (const provider of left) await order('PJSIPUnregister', provider);
      const end = performance.now() + LEAVE_MS;
      while (performance.now() < end && !(await areGone(left))) await sleep(LOOK_MS);
    },

    /** Once it serves this: whoever has another login than before is registered anew. */
    async follow({ providers }: DesiredState): Promise<void> {
      const before = new Map(outbound(served).map((provider) => [provider.id, loginOf(provider)]));
      served = providers;
      for (const provider of outbound(providers)) {
        const login = before.get(provider.id);
        if (login !== undefined && login !== loginOf(provider)) await order('PJSIPRegister', provider);
      }
    },

    /** It refused a call, so it may have another secret for us by now: whether it still knows us is asked anew. */
    async doubt(id: string): Promise<void> {
      const provider = outbound(served).find((known) => known.id === id);
      const now = performance.now();
      if (!provider || now - (doubtedAt.get(id) ?? Number.NEGATIVE_INFINITY) < DOUBT_MS) return;
      doubtedAt.set(id, now);
      await order('PJSIPRegister', provider);
    },

    /** Another engine registers by itself. */
    forget(): void {
      served = [];
    },
  };
}

const outbound = (providers: readonly DesiredProvider[]): DesiredProvider[] =>
  providers.filter(({ registration }) => registration === 'outbound');

/** What the provider knows us by. */
const placeOf = (provider: DesiredProvider | undefined): string =>
  provider?.registration === 'outbound'
    ? JSON.stringify([
        provider.host,
        provider.port,
        provider.username,
        provider.transports,
        provider.outboundProxy,
      ])
    : '';

const loginOf = (provider: DesiredProvider): string => `${placeOf(provider)} ${provider.secret}`;
