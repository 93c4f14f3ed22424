import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredProvider, DesiredState } from '../../desired-state.ts';
import { providerEndpoint } from '../config/pjsip-provider.ts';
import { type Ami, AmiRefused } from '../control/ami.ts';

/** How long a provider may take to confirm that we unregister; one that is gone must not delay us. */
const LEAVE_MS = 2000;
const LOOK_MS = 50;
/** Pause between two checks of a provider that refuses every call. */
const DOUBT_MS = 30_000;

/**
 * Makes a change of a provider take effect at once. The engine uses a new secret only when it has to register again,
 * and cannot unregister once it has forgotten the login.
 */
export function createProviderRegistrations({ ami }: { readonly ami: Pick<Ami, 'action' | 'list'> }) {
  let served: readonly DesiredProvider[] = [];
  const doubtedAt = new Map<string, number>();

  /** A refusal means that the engine has none of that name, or is already doing it. */
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
    /** Before the state is applied: registrations that end or move are cancelled with the login they were made with. */
    async leave({ providers }: DesiredState): Promise<void> {
      const next = new Map(providers.map((provider) => [provider.id, provider]));
      const left = outbound(served).filter((before) => placeOf(before) !== placeOf(next.get(before.id)));
      if (left.length === 0) return;
      for (const provider of left) await order('PJSIPUnregister', provider);
      const end = performance.now() + LEAVE_MS;
      while (performance.now() < end && !(await areGone(left))) await sleep(LOOK_MS);
    },

    /** Once the state is served: providers whose login has changed are registered anew. */
    async follow({ providers }: DesiredState): Promise<void> {
      const before = new Map(outbound(served).map((provider) => [provider.id, loginOf(provider)]));
      served = providers;
      for (const provider of outbound(providers)) {
        const login = before.get(provider.id);
        if (login !== undefined && login !== loginOf(provider)) await order('PJSIPRegister', provider);
      }
    },

    /** The provider refused a call, so our secret may be outdated: registering anew shows whether it still knows us. */
    async doubt(id: string): Promise<void> {
      const provider = outbound(served).find((known) => known.id === id);
      const now = performance.now();
      if (!provider || now - (doubtedAt.get(id) ?? Number.NEGATIVE_INFINITY) < DOUBT_MS) return;
      doubtedAt.set(id, now);
      await order('PJSIPRegister', provider);
    },

    /** The next engine registers by itself. */
    forget(): void {
      served = [];
    },
  };
}

const outbound = (providers: readonly DesiredProvider[]): DesiredProvider[] =>
  providers.filter(({ registration }) => registration === 'outbound');

/** What the provider identifies us by. */
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
