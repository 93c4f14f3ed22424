import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { missingProgram } from '../real/bouncer.ts';
import { BUNDLE_DIR } from '../real/engine-bundle.ts';
import { createNetPair, findNamespaces, type NetPair } from '../real/netns.ts';
import { realPart } from '../real/require-real.ts';
import { type ServiceProcess, startServiceProcess } from '../real/service-process.ts';
import { soon } from '../real/soon.ts';
import { served, telephonyAvailable } from './exchange.ts';

// Loopback is never banned, so they connect over a cable.
const SERVER = '192.0.2.1';
const GUESSER = '192.0.2.2';
const PROVIDER = '192.0.2.3';

/** Thirty registrations without a login, each over its own connection. */
const GUESS = `
for i in {1..30}; do
  exec 3<>/dev/tcp/${SERVER}/5060 || exit 0
  printf '%s\\r\\n' "REGISTER sip:${SERVER} SIP/2.0" "Via: SIP/2.0/TCP $0:5099;branch=z9hG4bK$RANDOM$i" \
    "From: <sip:20$i@${SERVER}>;tag=t$i" "To: <sip:20$i@${SERVER}>" "Call-ID: guess-$0-$i" "CSeq: 1 REGISTER" \
    "Contact: <sip:20$i@$0:5099>" "Max-Forwards: 70" "Content-Length: 0" "" >&3
  read -t 5 -r answer <&3
  echo "$answer"
  exec 3>&-
done`;

const available =
  telephonyAvailable() &&
  realPart('redis-server', !missingProgram('redis-server')) &&
  realPart('the right to make network namespaces', findNamespaces());

describe.skipIf(!available)('contract 17.9: ranges of providers', () => {
  let pair: NetPair;
  let service: ServiceProcess;

  beforeAll(async () => {
    pair = await createNetPair([`${SERVER}/24`], [`${GUESSER}/24`]);
    service = await startServiceProcess(pair, {
      PBXCORE_ENGINE: 'asterisk',
      PBXCORE_ASTERISK_BUNDLE_DIR: BUNDLE_DIR,
      PBXCORE_ASTERISK_FETCH: 'no',
      PBXCORE_SIP_HOST: SERVER,
    });
    await service.admin('POST', '/employees', {
      number: '201',
      user_username: 'Anna',
      sip_secret: 'a-secret-of-201',
    });
    const additionalHosts = [{ address: '192.0.2.0/24' }];
    await service.admin('POST', '/sip-providers', { description: 'T', host: PROVIDER, additionalHosts });
    await served(service);
  });
  afterAll(async () => {
    await service?.stop();
    await pair?.close();
  });

  test('a guesser inside a range of a provider is banned like any other', async () => {
    const said = await pair.client.run('bash', '-c', GUESS, GUESSER);
    onTestFailed(() => console.error(said, service.process.lines.slice(-30).join('\n')));
    await soon(async () =>
      expect(Object.keys(await service.admin('GET', '/firewall:getBannedIps'))).toEqual([GUESSER]),
    );
  });
});
