import { networkInterfaces } from 'node:os';
import type { EngineStatus } from '../../engine/asterisk/process/engine-status.ts';
import type { TelephonyConfig } from '../../telephony-config.ts';

type State = EngineStatus['state'];

interface SipPlace {
  readonly telephony: Pick<TelephonyConfig, 'engine' | 'sipHost' | 'sipPort' | 'sipTlsPort'> & {
    readonly asterisk: { readonly remote: { readonly host: string } | undefined };
  };
  readonly engine: { readonly state: State; readonly lastError?: string | undefined };
  /** Of this machine; the engine listens on IPv4 only. */
  readonly addresses?: readonly string[];
}

/** What somebody with a phone wants to know when the service starts: where to register, or why that is not possible. */
export function sipLines({ telephony, engine, addresses = ownAddresses() }: SipPlace): string[] {
  if (telephony.engine === 'none') return ['No SIP: PBXCORE_ENGINE is none, so phones cannot register'];
  if (engine.state === 'none') return [`No SIP: ${engine.lastError ?? 'there is no telephony engine'}`];
  const { sipHost, sipPort, sipTlsPort, asterisk } = telephony;
  const everywhere = asterisk.remote ? [asterisk.remote.host] : addresses;
  const [host = 'localhost', ...more] = sipHost === '0.0.0.0' ? everywhere : [sipHost];
  const beside = more.length > 0 ? `; this machine is also ${more.join(', ')}` : '';
  return [
    `SIP, for phones:     ${host}, port ${sipPort} (UDP and TCP) or ${sipTlsPort} (TLS)${beside}`,
    ...(engine.state === 'up' ? [] : [`                     ${NOT_YET[engine.state]}`]),
  ];
}

const SEE = 'npm run pbxcore -- engine status shows when it is up';
const NOT_YET: Record<Exclude<State, 'up' | 'none'>, string> = {
  looking: `as soon as Asterisk is there; ${SEE}`,
  fetching: `as soon as Asterisk is fetched; ${SEE}`,
  starting: `as soon as Asterisk has started; ${SEE}`,
  away: `Asterisk cannot be reached now; ${SEE}`,
  stopped: `Asterisk is stopped; ${SEE}`,
};

/** Those that a phone elsewhere could reach; without any, the one of this machine itself. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outer = all.filter(({ family, internal }) => family === 'IPv4' && !internal);
  return outer.length > 0 ? outer.map(({ address }) => address) : ['127.0.0.1'];
}
