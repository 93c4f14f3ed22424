import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileFilter } from '../../../features/firewall/network-filters/network-filter.ts';
import { contains, parseNetwork } from '../../../lib/network.ts';
import type { DesiredProvider, DesiredState, Transport } from '../../desired-state.ts';
import { extension } from '../../engine.suite.ts';
import type { Site } from '../site.ts';
import { hostile } from './encode.suite.ts';
import { parseConfig } from './parse.suite.ts';
import { renderPjsip } from './pjsip.ts';
import { filterRules } from './source-filter.ts';

const site = {
  sipHost: '0.0.0.0',
  sipPort: 5060,
  tlsPort: 5061,
  tlsCertFile: '/data/cert.pem',
  tlsKeyFile: '/data/key.pem',
  rtpFrom: 10_000,
  rtpTo: 20_000,
  silenceSeconds: 60,
  sessionSeconds: 600,
  externalAddress: '203.0.113.9',
  localNetworks: ['10.0.0.0/8'],
} as unknown as Site;
const rule = { source: 'default', customHeader: '', parserStart: '', parserEnd: '', parserRegex: '' };
const provider = (fields: Partial<DesiredProvider> = {}): DesiredProvider => ({
  id: 'SIP-TRUNK-1',
  description: 'A provider',
  registration: 'outbound',
  host: 'sip.example.org',
  port: 5060,
  additionalHosts: [],
  username: 'acme',
  secret: 'secret',
  transports: ['udp', 'tcp'],
  dtmfMode: 'auto',
  qualifySeconds: 60,
  fromUser: '',
  fromDomain: '',
  hidesFromUser: false,
  outboundProxy: '',
  manualAttributes: '',
  callerIdRule: rule,
  didRule: rule,
  ...fields,
});
const addresses = (host: string) =>
  host === 'sip.example.org' ? ['192.0.2.5', '192.0.2.6'] : parseNetwork(host) ? [host] : [];

function sectionsOf(state: Partial<DesiredState>) {
  const whole = { extensions: [], providers: [], refusedSources: [], ...state };
  const files = renderPjsip(whole, site, addresses);
  return [...files].flatMap(([file, text]) =>
    parseConfig(text).map(({ name, settings }) => ({
      file,
      name,
      settings,
      of: Object.fromEntries(settings),
    })),
  );
}
const pick = (state: Partial<DesiredState>, type: string, name?: string) =>
  sectionsOf(state).filter((section) => section.of.type === type && (name ?? section.name) === section.name);

test('a new secret changes only the file of logins', () => {
  const render = (secret: string) =>
    renderPjsip({ extensions: [extension('201', { secret })], providers: [], refusedSources: [] }, site);
  const other = render('other');
  const changed = [...render('one')].filter(([name, text]) => other.get(name) !== text);
  expect(changed.map(([name]) => name)).toEqual(['pjsip_auths.conf']);
});

describe('hostile values', () => {
  test('never add a section or a key to any file', () => {
    const shape = (state: Partial<DesiredState>) =>
      sectionsOf(state).map(({ file, name, settings }) => [file, name, settings.map(([key]) => key)]);
    const tame = (text: string) => ({
      extensions: [
        extension('201', { name: text, secret: text, mobile: { number: text, dialString: text } }),
      ],
      providers: [
        provider({ description: text, secret: text || 'x', fromUser: text, fromDomain: 'x.org' }),
        provider({ id: 'SIP-2', registration: 'inbound', secret: text || 'x' }),
      ],
    });
    // A name with odd characters is set in a line of its own.
    const expected = [shape(tame('x')), shape(tame('<x>'))];
    fc.assert(
      fc.property(hostile, (text) => {
        // Text of control characters only is no name at all.
        fc.pre(/[^\p{Cc}\p{Z}]/u.test(text.toWellFormed()));
        expect(expected).toContainEqual(shape(tame(text)));
      }),
      { numRuns: 300 },
    );
  });

  test('in optional fields never add foreign sections or keys', () => {
    const known = new Set(
      sectionsOf({ extensions: [extension('201')], providers: [provider()] }).map(({ name }) => name),
    );
    fc.assert(
      fc.property(hostile, hostile, (text, attributes) => {
        const state = {
          extensions: [
            extension('201', { manualAttributes: attributes, filter: { permit: text, deny: text } }),
          ],
          providers: [provider({ outboundProxy: text, fromDomain: text, manualAttributes: attributes })],
          refusedSources: [text],
        };
        for (const { name, of } of sectionsOf(state)) {
          expect(known).toContain(name);
          expect(of.evil).toBeUndefined();
          expect(of.context ?? '').toMatch(/^(from-\w+)?$/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test('contract 17.9: a range that is too wide matches nobody, wherever it is stored', () => {
  const wide = ['0.0.0.0/1', '128.0.0.0/1', '10.0.0.0/15', '10.0.0.0/255.0.0.0', '2001::/31', '::/0'];
  const fields = { registration: 'none' as const, host: '0.0.0.0/1', outboundProxy: '128.0.0.0/1' };
  const state = {
    providers: [provider({ ...fields, additionalHosts: [...wide, '198.51.0.0/16', '192.0.2.7'] })],
  };
  expect(pick(state, 'identify').map(({ of }) => of.match)).toEqual(['192.0.2.7', '198.51.0.0/16']);
});

describe('an employee', () => {
  test('has an endpoint, a login without its secret, and a place for devices', () => {
    const state = { extensions: [extension('201', { name: 'Ann "A" One', dtmfMode: 'info' })] };
    expect(pick(state, 'endpoint')[0]?.of).toMatchObject({
      auth: '201',
      aors: '201',
      callerid: '<201>',
      set_var: 'CALLERID(name)=Ann \\x22A\\x22 One',
      dtmf_mode: 'info',
      context: 'from-employee',
    });
    expect(pick(state, 'auth')[0]?.of).toMatchObject({ username: '201', auth_type: 'md5' });
    expect(JSON.stringify(sectionsOf(state))).not.toContain('secret-of-201');
    expect(pick(state, 'aor')[0]?.name).toBe('201');
  });

  test('has a required transport and its own context if it may only use TLS', () => {
    const endpointOf = (...transports: Transport[]) =>
      pick({ extensions: [extension('201', { transports })] }, 'endpoint')[0]?.of;
    expect(endpointOf('tls')).toMatchObject({ transport: 'transport-tls', context: 'from-tls-employee' });
    expect(endpointOf('udp')?.transport).toBeUndefined();
    expect(endpointOf('udp', 'tcp')?.transport).toBeUndefined();
  });

  test('takes manual settings', () => {
    const manualAttributes = 'media_encryption=sdes\nallow=opus\n[aor]\nmax_contacts=1';
    const state = { extensions: [extension('201', { manualAttributes })] };
    expect(pick(state, 'endpoint')[0]?.of).toMatchObject({ media_encryption: 'sdes', allow: 'opus' });
    expect(pick(state, 'aor')[0]?.of.max_contacts).toBe('1');
  });
});

describe('a provider', () => {
  test('that we register with has a registration, a login, a contact and its addresses', () => {
    const state = {
      providers: [provider({ additionalHosts: ['198.51.100.0/24'], transports: ['tls'], port: 5061 })],
    };
    expect(pick(state, 'registration')[0]?.of).toMatchObject({
      server_uri: 'sip:sip.example.org:5061;transport=tls',
      client_uri: 'sip:acme@sip.example.org:5061;transport=tls',
      endpoint: 'SIP-TRUNK-1',
    });
    expect(pick(state, 'auth')[0]?.of).toMatchObject({ username: 'acme', password: 'secret' });
    expect(pick(state, 'aor')[0]?.of).toMatchObject({ qualify_frequency: '60' });
    expect(pick(state, 'identify').map(({ of }) => of.match)).toEqual([
      '192.0.2.5',
      '192.0.2.6',
      '198.51.100.0/24',
    ]);
    expect(pick(state, 'endpoint')[0]?.of).toMatchObject({
      from_user: 'acme',
      from_domain: 'sip.example.org',
    });
  });

  test('without its own login is identified by its address only', () => {
    for (const registration of ['none', 'outbound'] as const)
      expect(pick({ providers: [provider({ registration })] }, 'endpoint')[0]?.of.identify_by).toBe('ip');
  });

  test('that hides our user name shows the number of the caller', () => {
    expect(
      pick({ providers: [provider({ hidesFromUser: true })] }, 'endpoint')[0]?.of.from_user,
    ).toBeUndefined();
  });

  test('that registers with us must log in, and phones at its address are not taken for it', () => {
    const state = { providers: [provider({ registration: 'inbound', username: 'in.bound+1' })] };
    expect(pick(state, 'endpoint')[0]?.of).toMatchObject({ auth: 'SIP-TRUNK-1', aors: 'in.bound+1' });
    expect(pick(state, 'aor')[0]?.name).toBe('in.bound+1');
    expect(pick(state, 'registration')).toEqual([]);
    expect(pick(state, 'identify').map(({ of }) => of.match)).toEqual([undefined, undefined]);
  });

  test('cannot transfer our callers elsewhere', () => {
    expect(pick({ providers: [provider()] }, 'endpoint')[0]?.of.allow_transfer).toBe('no');
  });

  test('cannot take the name of a phone', () => {
    const state = {
      extensions: [extension('201')],
      providers: [provider({ registration: 'inbound', username: '201' })],
    };
    expect(pick(state, 'aor')).toHaveLength(1);
    expect(pick(state, 'identify')).toEqual([]);
  });

  test('cannot take the name of another provider', () => {
    const thief = provider({ id: 'SIP-2', registration: 'inbound', username: 'SIP-TRUNK-1' });
    expect(pick({ providers: [thief, provider()] }, 'aor').map(({ name }) => name)).toEqual(['SIP-TRUNK-1']);
  });

  test('with a name that is too long for the engine takes nobody else out of service', () => {
    const long = provider({ registration: 'inbound', username: 'x'.repeat(100) });
    const state = { extensions: [extension('201')], providers: [long] };
    expect(pick(state, 'aor').map(({ name }) => name)).toEqual(['201']);
    expect(pick(state, 'endpoint')).toHaveLength(2);
  });

  test('with a long id has a short name in the engine', () => {
    const [endpoint] = pick({ providers: [provider({ id: `SIP-PROVIDER-${'x'.repeat(64)}` })] }, 'endpoint');
    expect(endpoint?.name).toMatch(/^SIP-[0-9a-f]{24}$/);
  });

  test('is reached over its proxy, however the proxy is written', () => {
    for (const outboundProxy of ['proxy.org', 'sip:proxy.org', 'sip:x@proxy.org;lr'])
      expect(pick({ providers: [provider({ outboundProxy })] }, 'endpoint')[0]?.of.outbound_proxy).toBe(
        'sip:proxy.org;lr',
      );
  });
});

test('refused sources are one list, in lines that the engine can read', () => {
  const refusedSources = Array.from(
    { length: 1000 },
    (_, i) => `2001:db8:aaaa:bbbb:cccc:dddd:${i.toString(16)}:1`,
  );
  const list = sectionsOf({ refusedSources: [...refusedSources, 'nonsense'] }).find(
    ({ file }) => file === 'acl.conf',
  );
  expect(list?.settings.flatMap(([, value]) => value.split(','))).toEqual(refusedSources);
});

test('the engine admits exactly the addresses that the filter admits', () => {
  const entry = fc.constantFrom(
    '10.0.0.0/8',
    '10.1.0.0/16',
    '10.1.2.3',
    '0.0.0.0/0',
    '::/0',
    '2001:db8::/32',
    'nonsense',
  );
  const list = fc.array(entry, { maxLength: 4 }).map((parts) => parts.join(','));
  const caller = fc.constantFrom(
    '10.1.2.3',
    '10.1.9.9',
    '10.9.9.9',
    '192.0.2.1',
    '2001:db8::1',
    '2001:db9::1',
  );
  const engineLetsIn = (filter: { permit: string; deny: string }, from: string): boolean => {
    const address = parseNetwork(from);
    let isAllowed = true;
    for (const [sense, text] of filterRules(filter)) {
      const network = parseNetwork(String(text));
      if (network && address && contains(network, address)) isAllowed = sense === 'permit';
    }
    return isAllowed;
  };
  fc.assert(
    fc.property(list, list, caller, (permit, deny, from) => {
      expect(engineLetsIn({ permit, deny }, from)).toBe(compileFilter({ permit, deny })(from));
    }),
    { numRuns: 1000 },
  );
});
