import { networkInterfaces } from 'node:os';
import type { EngineStatus } from '../../engine/asterisk/process/engine-status.ts';
import type { TelephonyConfig } from '../../telephony-config.ts';

type State = EngineStatus['state'];

interface SipPlace {
  readonly telephony: Pick<TelephonyConfig, 'engine' | 'sipHost' | 'sipPort' | 'sipTlsPort'> & {
    readonly asterisk: { readonly remote: { readonly host: string } | undefined };
  };
  readonly engine: { readonly state: State; readonly lastError?: string | undefined };
  /** Addresses of this machine; the engine listens on IPv4 only. */
  readonly addresses?: readonly string[];
}

/** What a phone needs to register with this exchange. */
export interface SipConnection {
  readonly host: string;
  /** Other addresses of the same machine. */
  readonly otherHosts: string[];
  readonly udp: number;
  readonly tcp: number;
  readonly tls: number;
  /** Why no phone can register now. */
  readonly problem: string | null;
}

export function sipConnection({ telephony, engine, addresses = ownAddresses() }: SipPlace): SipConnection {
  const { sipHost, sipPort, sipTlsPort, asterisk } = telephony;
  const everywhere = asterisk.remote ? [asterisk.remote.host] : addresses;
  const [host = 'localhost', ...otherHosts] = sipHost === '0.0.0.0' ? everywhere : [sipHost];
  const problem = noSip({ telephony, engine }) ?? (isOnItsWay(engine.state) ? NOT_YET[engine.state] : null);
  return { host, otherHosts, udp: sipPort, tcp: sipPort, tls: sipTlsPort, problem };
}

/** Startup lines for somebody with a phone: where to register, or why that is not possible. */
export function sipLines(place: SipPlace): string[] {
  const reason = noSip(place);
  if (reason !== undefined) return [`No SIP: ${reason}`];
  const { host, otherHosts, udp, tls, problem } = sipConnection(place);
  const beside = otherHosts.length > 0 ? `; this machine is also ${otherHosts.join(', ')}` : '';
  return [
    `SIP, for phones:     ${host}, port ${udp} (UDP and TCP) or ${tls} (TLS)${beside}`,
    ...(problem === null ? [] : [`                     ${problem}; ${SEE}`]),
  ];
}

function noSip({ telephony, engine }: Pick<SipPlace, 'telephony' | 'engine'>): string | undefined {
  if (telephony.engine === 'none') return 'PBXCORE_ENGINE is none, so phones cannot register';
  if (engine.state === 'none') return engine.lastError ?? 'there is no telephony engine';
  return undefined;
}

const SEE = 'npm run pbxcore -- engine status shows when it is up';
const NOT_YET: Record<Exclude<State, 'up' | 'none'>, string> = {
  looking: 'as soon as Asterisk is available',
  fetching: 'as soon as Asterisk is fetched',
  starting: 'as soon as Asterisk has started',
  away: 'Asterisk cannot be reached now',
  stopped: 'Asterisk is stopped',
};
const isOnItsWay = (state: State): state is keyof typeof NOT_YET => state in NOT_YET;

/** Addresses that a phone elsewhere could reach; without any, the loopback address. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outer = all.filter(({ family, internal }) => family === 'IPv4' && !internal);
  return outer.length > 0 ? outer.map(({ address }) => address) : ['127.0.0.1'];
}
