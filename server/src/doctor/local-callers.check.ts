import { type Finding, ok, warning } from './finding.ts';

/** Requests from loopback that a proxy forwarded, and the header that showed it in the last one. */
export interface PassedOn {
  readonly requests: number;
  readonly header: string;
}

/** Who can reach the `localhost` channel of modules, and use keys bound to `localhost`. */
export function localCallerFindings(passedOn: PassedOn | undefined): Finding[] {
  if (!passedOn)
    return [ok('local callers: programs on this machine; a request with a forwarding header is never local')];
  const { requests, header } = passedOn;
  return [
    warning(
      `local callers: ${requests === 1 ? 'a request' : `${requests} requests`} from this machine came with the header ${header} and ${requests === 1 ? 'was' : 'were'} not treated as local: a proxy here is not trusted`,
      'name the proxy in PBXCORE_TRUSTED_PROXIES; a program that is to count as local has to connect directly',
    ),
  ];
}
