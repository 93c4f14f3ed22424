import { isIPv6 } from 'node:net';
import type { Site } from '../site.ts';
import { configSection, type Setting } from './encode.ts';
import { PLAIN_DOMAIN, transportName } from './pjsip-employee.ts';

/** UDP and TCP on one port, TLS on its own. They change only with the site, which requires a restart. */
export function renderTransports(site: Site): string {
  const { sipHost, sipPort, tlsPort, tlsCertFile, tlsKeyFile, externalAddress, localNetworks } = site;
  const host = isIPv6(sipHost) ? `[${sipHost}]` : sipHost;
  const outside: Setting[] =
    externalAddress === undefined
      ? []
      : [
          ['external_media_address', externalAddress],
          ['external_signaling_address', externalAddress],
          ...localNetworks.map((network): Setting => ['local_net', network]),
        ];
  const plain = (['udp', 'tcp'] as const).map((protocol) =>
    configSection(transportName(protocol), [
      ['type', 'transport'],
      ['protocol', protocol],
      ['bind', `${host}:${sipPort}`],
      ['domain', PLAIN_DOMAIN],
      ...outside,
    ]),
  );
  const tls = configSection(transportName('tls'), [
    ['type', 'transport'],
    ['protocol', 'tls'],
    ['bind', `${host}:${tlsPort}`],
    ['cert_file', tlsCertFile],
    ['priv_key_file', tlsKeyFile],
    ['method', 'tlsv1_2'],
    ...outside,
  ]);
  return plain.join('') + tls;
}
