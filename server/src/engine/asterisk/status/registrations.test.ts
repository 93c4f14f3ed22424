import { afterEach, expect, test, vi } from 'vitest';
import type { DesiredProvider, DesiredState } from '../../desired-state.ts';
import { extension } from '../../engine.suite.ts';
import type { EngineEvent } from '../../events.ts';
import { scriptedAmi } from '../control/ami.suite.ts';
import { createRegistrations } from './registrations.ts';

vi.useFakeTimers();
afterEach(() => vi.clearAllTimers());

const provider = (id: string, fields: Partial<DesiredProvider> = {}) =>
  ({ id, registration: 'outbound', ...fields }) as DesiredProvider;
const contact = (endpoint: string, fields: Record<string, string> = {}) => ({
  Event: 'ContactStatusDetail',
  EndpointName: endpoint,
  Endpoint: endpoint,
  Uri: `sip:${endpoint}@192.0.2.10:5062;transport=TCP`,
  URI: `sip:${endpoint}@192.0.2.10:5062;transport=TCP`,
  UserAgent: 'Phone',
  Status: 'Reachable',
  RoundtripUsec: '12345',
  ...fields,
});
const registration = (id: string, Status: string) => ({
  Event: 'OutboundRegistrationDetail',
  ObjectName: id,
  Status,
});
const soon = () => vi.advanceTimersByTimeAsync(100);

function begin(state: Partial<DesiredState>) {
  const engine = scriptedAmi();
  const told: EngineEvent[] = [];
  const contacts = new Map<string, ReturnType<typeof contact>[]>();
  engine.lists.set('PJSIPShowEndpoint', ({ Endpoint = '' }) => contacts.get(Endpoint) ?? []);
  engine.lists.set('PJSIPShowContacts', () => [...contacts.values()].flat());
  const registrations = createRegistrations({ ami: engine.ami, tell: (event) => told.push(event) });
  registrations.follow({ extensions: [], providers: [], refusedSources: [], ...state });
  const changed = (name: string) => engine.send({ Event: 'ContactStatus', EndpointName: name });
  return { ...engine, told, contacts, registrations, changed };
}

test('a phone that registers is reported once, and a burst of its events causes one query', async () => {
  const { told, contacts, changed, asked } = begin({ extensions: [extension('201'), extension('202')] });
  contacts.set('201', [contact('201')]);
  for (let i = 0; i < 5; i++) changed('201');
  await soon();
  changed('201');
  await soon();
  expect(told).toEqual([
    {
      type: 'registration-changed',
      extension: {
        number: '201',
        devices: [{ address: '192.0.2.10', port: 5062, userAgent: 'Phone', reach: 'reachable', rttMs: 12 }],
      },
    },
  ]);
  expect(asked).toEqual(['PJSIPShowEndpoint 201', 'PJSIPShowEndpoint 201']);
});

test('a change of the round trip time alone is not reported, an unreachable phone is', async () => {
  const { told, contacts, changed } = begin({ extensions: [extension('201')] });
  for (const fields of [{}, { RoundtripUsec: '99' }, { Status: 'Unreachable', RoundtripUsec: 'N/A' }]) {
    contacts.set('201', [contact('201', fields)]);
    changed('201');
    await soon();
  }
  contacts.delete('201');
  changed('201');
  await soon();
  const devices = told.map((event) =>
    event.type === 'registration-changed' ? event.extension.devices : undefined,
  );
  expect(devices.map((list) => list?.map(({ reach, rttMs }) => [reach, rttMs]))).toEqual([
    [['reachable', 12]],
    [['unreachable', null]],
    [],
  ]);
});

test('many phones at once cause one query', async () => {
  const numbers = Array.from({ length: 300 }, (_, i) => String(1000 + i));
  const { told, contacts, changed, asked } = begin({
    extensions: numbers.map((number) => extension(number)),
  });
  for (const number of numbers) {
    contacts.set(number, [contact(number)]);
    changed(number);
  }
  await soon();
  expect(asked).toEqual(['PJSIPShowContacts']);
  expect(told).toHaveLength(300);
});

test('every applied extension has an entry, and other endpoints of the engine have none', async () => {
  const { contacts, registrations, changed, told } = begin({
    extensions: [extension('201'), extension('202')],
  });
  contacts.set('202', [contact('202')]);
  contacts.set('evil', [contact('evil')]);
  changed('evil');
  const statuses = await registrations.extensionStatuses();
  expect(statuses.map(({ number, devices }) => [number, devices.length])).toEqual([
    ['201', 0],
    ['202', 1],
  ]);
  await soon();
  expect(told).toHaveLength(1);
});

test('hostile contacts and user agents become short plain text', async () => {
  const { contacts, registrations } = begin({ extensions: [extension('201')] });
  const uris = ['sip:a:b@[2001:db8::1]:5060', 'sip:', 'nonsense', `sip:x@${'h'.repeat(9999)}:99999`];
  contacts.set(
    '201',
    uris.map((Uri) => contact('201', { Uri, UserAgent: `<b>\u0007${'x'.repeat(999)}`, RoundtripUsec: '-5' })),
  );
  const [status] = await registrations.extensionStatuses();
  expect(status?.devices).toHaveLength(4);
  for (const device of status?.devices ?? []) {
    expect(device.address.length).toBeLessThanOrEqual(255);
    expect(device.port).toBeLessThan(65_536);
    expect(device.userAgent).toHaveLength(255);
    expect(device.userAgent).not.toMatch(/\p{Cc}/u);
    expect(device.rttMs).toBeNull();
  }
  expect(status?.devices.some(({ address }) => address === '2001:db8::1')).toBe(true);
});

test('a registration is registered, refused or silent, and only probing distinguishes the last two', async () => {
  const { lists, contacts, registrations } = begin({
    providers: ['SIP-OK', 'SIP-NO', 'SIP-DEAD'].map((id) => provider(id)),
  });
  lists.set('PJSIPShowRegistrationsOutbound', () => [
    registration('SIP-OK', 'Registered'),
    registration('SIP-NO', 'Rejected'),
    registration('SIP-DEAD', 'Rejected'),
    { Event: 'AuthDetail', ObjectName: 'SIP-OK', Password: 'secret', Status: '' },
  ]);
  contacts.set('SIP-NO', [contact('SIP-NO')]);
  contacts.set('SIP-DEAD', [contact('SIP-DEAD', { Status: 'Unreachable' })]);
  const statuses = await registrations.providerStatuses();
  expect(statuses.map(({ id, state }) => [id, state])).toEqual([
    ['SIP-OK', 'registered'],
    ['SIP-NO', 'rejected'],
    ['SIP-DEAD', 'unregistered'],
  ]);
  expect(statuses[1]?.rejectionReason).toBe('the provider refused the registration');
  expect(JSON.stringify(statuses)).not.toContain('secret');
});

test('providers that we do not register with have the state from probing or from their own registration', async () => {
  const { contacts, registrations } = begin({
    providers: [
      provider('SIP-FAST', { registration: 'none' }),
      provider('SIP-SLOW', { registration: 'none' }),
      provider('SIP-GONE', { registration: 'none' }),
      provider('SIP-UNASKED', { registration: 'none' }),
      provider('SIP-IN', { registration: 'inbound' }),
      provider('SIP-OUT', { registration: 'inbound' }),
    ],
  });
  contacts.set('SIP-FAST', [contact('SIP-FAST')]);
  contacts.set('SIP-SLOW', [contact('SIP-SLOW', { RoundtripUsec: '2500000' })]);
  contacts.set('SIP-GONE', [contact('SIP-GONE', { Status: 'Unreachable' })]);
  contacts.set('SIP-UNASKED', [contact('SIP-UNASKED', { Status: 'NonQualified' })]);
  contacts.set('SIP-IN', [contact('SIP-IN')]);
  const statuses = await registrations.providerStatuses();
  expect(statuses.map(({ state }) => state)).toEqual([
    'reachable',
    'lagged',
    'unreachable',
    'unknown',
    'registered',
    'unregistered',
  ]);
  expect(statuses[4]?.addresses).toEqual(['192.0.2.10']);
});

test('a registration that was accepted before anybody listened is reported all the same', async () => {
  const { told, lists, send } = begin({ providers: [provider('SIP-OK')] });
  lists.set('PJSIPShowRegistrationsOutbound', () => [registration('SIP-OK', 'Registered')]);
  await soon();
  send({ Event: 'Registry', Status: 'Registered' });
  await soon();
  expect(told).toEqual([
    { type: 'provider-changed', provider: { id: 'SIP-OK', state: 'registered', rttMs: null, addresses: [] } },
  ]);
});

test('nothing is reported after closing', async () => {
  const { told, contacts, changed, registrations } = begin({ extensions: [extension('201')] });
  contacts.set('201', [contact('201')]);
  changed('201');
  registrations.close();
  await soon();
  expect(told).toEqual([]);
});
