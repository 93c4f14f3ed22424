import { expect, test, vi } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { desiredState, type StoredEmployee } from './desired-from-stored.ts';
import type { DesiredState } from './desired-state.ts';
import { extension } from './engine.suite.ts';
import { createFakeEngine } from './fake-engine.ts';
import { createEngineSync } from './sync.ts';

const stateOf = (...numbers: string[]): DesiredState => ({
  extensions: numbers.map((number) => extension(number)),
  providers: [],
  refusedSources: [],
});

function begin({ up = true, firstRetryMs = 5 } = {}) {
  const engine = createFakeEngine({ up });
  const errors: unknown[] = [];
  const store = { state: stateOf('201'), read: 0 };
  const onApplied = vi.fn();
  const sync = createEngineSync({
    engine,
    async desired() {
      store.read++;
      return store.state;
    },
    onApplied,
    onError: (error) => errors.push(error),
    debounceMs: 20,
    firstRetryMs,
  });
  const served = () => engine.served.extensions.map(({ number }) => number);
  return { engine, errors, store, sync, onApplied, served };
}

test('the stored state is applied to a running engine without a request', async () => {
  const { sync, served, onApplied } = begin();
  await eventually(() => expect(served()).toEqual(['201']));
  await eventually(() => expect(onApplied).toHaveBeenCalledTimes(1));
  await sync.close();
});

test('a hundred changes in a row are applied at once, as they are stored in the end', async () => {
  const { engine, store, sync, served } = begin();
  await eventually(() => expect(engine.applied).toBe(1));
  for (let i = 0; i < 100; i++) {
    store.state = stateOf('201', String(300 + i));
    sync.changed();
  }
  await eventually(() => expect(served()).toEqual(['201', '399']));
  expect(engine.applied).toBe(2);
  await sync.close();
});

test('a change that is stored while another state is being applied is applied too', async () => {
  const { engine, store, sync, served } = begin();
  await eventually(() => expect(engine.applied).toBe(1));
  const { apply } = engine;
  engine.apply = async (state) => {
    engine.apply = apply;
    store.state = stateOf('202');
    sync.changed();
    await apply(state);
  };
  sync.changed();
  await eventually(() => expect(served()).toEqual(['202']));
  await sync.close();
});

test('a state that the engine refuses is tried again until it is accepted', async () => {
  const { engine, errors, store, sync, served } = begin();
  await eventually(() => expect(engine.applied).toBe(1));
  engine.refuseApply(3);
  store.state = stateOf('207');
  sync.changed();
  await eventually(() => expect(served()).toEqual(['207']));
  expect(errors).toHaveLength(3);
  await sync.close();
});

test('a change does not wait for the next try of a state that was refused before it', async () => {
  const { engine, errors, store, sync, served } = begin({ firstRetryMs: 60_000 });
  await eventually(() => expect(engine.applied).toBe(1));
  engine.refuseApply(1);
  sync.changed();
  await eventually(() => expect(errors).toHaveLength(1));
  store.state = stateOf('208');
  sync.changed();
  await eventually(() => expect(served()).toEqual(['208']));
  await sync.close();
});

test('nothing is read while the engine is away; once it is back the whole state is applied', async () => {
  const { engine, errors, store, sync, served } = begin({ up: false });
  sync.changed();
  engine.comeUp();
  await eventually(() => expect(served()).toEqual(['201']));
  expect(store.read).toBe(1);
  engine.goDown();
  engine.comeUp();
  await eventually(() => expect(served()).toEqual(['201']));
  expect(errors).toEqual([]);
  await sync.close();
});

const employee: StoredEmployee = {
  id: 1,
  number: '201',
  user_username: 'Ann',
  sip_secret: 'correct horse',
  mobile_number: '+491701234567',
  mobile_dialstring: '0491701234567',
  sip_transport: 'udp,tcp',
  sip_dtmfmode: 'auto',
  sip_media_encryption: 'none',
  outgoing_callerid: '',
  call_class: 'premium',
  sip_enableRecording: true,
  sip_networkfilterid: '4',
  sip_manualattributes: '',
  fwd_ringlength: 20,
  fwd_forwarding: '202',
  fwd_forwardingonbusy: 'busy',
  fwd_forwardingonunavailable: '',
};

test('equal records give equal states, in whatever order they come', () => {
  const others = ['202', '100'].map((number, at) => ({ ...employee, id: 2 + at, number }));
  const filterLists = () => ({ permit: '10.0.0.0/8', deny: '' });
  const one = desiredState({
    employees: [employee, ...others],
    providers: [],
    refusedSources: [],
    filterLists,
  });
  const other = desiredState({
    employees: [...others, employee],
    providers: [],
    refusedSources: [],
    filterLists,
  });
  expect(one).toEqual(other);
  expect(one.extensions.map(({ number }) => number)).toEqual(['100', '201', '202']);
  expect(one.extensions[1]).toMatchObject({
    transports: ['udp', 'tcp'],
    filter: { permit: '10.0.0.0/8', deny: '' },
    forward: { onNoAnswer: '202', onBusy: 'busy', onUnavailable: '' },
  });
});

test('contract 20.10: a shared mobile is dialled as that of the employee with the lowest id, whatever the numbers', () => {
  const { extensions } = desiredState({
    employees: [
      { ...employee, id: 3, number: '1003', mobile_dialstring: '03' },
      { ...employee, id: 2, number: '202', mobile_number: '491701234567', mobile_dialstring: '02' },
      { ...employee, id: 1, number: '300', mobile_dialstring: '01' },
    ],
    providers: [],
    refusedSources: [],
    filterLists: () => undefined,
  });
  expect(extensions.map(({ number, mobile }) => [number, mobile.dialString])).toEqual([
    ['1003', ''],
    ['202', ''],
    ['300', '01'],
  ]);
});

test('an account whose filter no longer exists can be used from nowhere', () => {
  const state = desiredState({
    employees: [employee],
    providers: [],
    refusedSources: [],
    filterLists: () => undefined,
  });
  expect(state.extensions[0]?.filter).toEqual({ permit: '', deny: '0.0.0.0/0' });
  const open = { ...employee, sip_networkfilterid: 'none' };
  const free = desiredState({
    employees: [open],
    providers: [],
    refusedSources: [],
    filterLists: () => undefined,
  });
  expect(free.extensions[0]?.filter).toBeUndefined();
});
