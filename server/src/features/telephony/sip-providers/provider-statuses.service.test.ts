import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { readFields } from '../../../http/fields.ts';
import { openSql, type Sql } from '../../../store/sql/open.ts';
import { createDirectory, type Directory } from '../directory/directory.ts';
import { createProviderHistoryStore } from './provider-history.store.ts';
import type { ProviderState } from './provider-states.ts';
import { createProviderStatuses } from './provider-statuses.service.ts';
import type { SipProvider } from './sip-provider.ts';
import { providerFields } from './sip-providers.schema.ts';
import { createSipProviders } from './sip-providers.service.ts';
import { createSipProviderStore, type SipProviderStore } from './sip-providers.store.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());
const ID = 'SIP-TRUNK-1';
const input = {
  ...readFields(providerFields, { description: 'Trunk', host: 'sip.example.org' }).values,
  username: 'u',
  secret: 's',
};

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  describe.skipIf(kind === 'postgres' && !hasPostgres)('states reported by the engine', () => {
    let server: PostgresServer | undefined;
    let folder: string;
    let sql: Sql;
    let numbers: Directory;
    let store: SipProviderStore;
    let now = 1_790_000_000_000;
    const clock = { now: () => now++ };
    const states = new Map<string, ProviderState>();
    const failures: unknown[] = [];
    const asked: string[] = [];

    beforeAll(async () => {
      if (kind === 'postgres') server = await startPostgres();
      folder = await mkdtemp(join(tmpdir(), 'providers-'));
      sql = await openSql(
        server ? { url: await server.createDatabase('states') } : { file: join(folder, 'states.sqlite') },
      );
      const onError = (error: unknown) => failures.push(error);
      const reserved = { emergency: [], features: {} };
      numbers = await createDirectory({ db: sql.db, clock, onError, reserved });
      store = await createSipProviderStore({ db: sql.db, clock, numbers, onError });
    }, 60_000);
    afterAll(async () => {
      store?.close();
      await numbers?.close();
      await sql?.close();
      await server?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    function makeServices() {
      const history = createProviderHistoryStore({ db: sql.db, clock });
      const statuses = createProviderStatuses({
        store,
        history,
        clock,
        states: {
          current: async () => ({ asOf: now, states, engine: 'up' }),
          refresh: async (id) => void asked.push(id),
        },
        onError: (error) => failures.push(error),
      });
      const providers = createSipProviders({
        store,
        statuses,
        clock,
        filterExists: async () => true,
        unusedAttributes: () => [],
      });
      return { history, statuses, providers };
    }

    const say = (state: ProviderState['state']) => states.set(ID, { state, since: now, rttMs: null });
    const moves = async (statuses: ReturnType<typeof makeServices>['statuses']) =>
      (await statuses.history(ID, 100)).map(({ previous, state }) => `${previous} ${state}`).reverse();

    test('every change except from and to UNKNOWN is recorded in the history, and none twice', async () => {
      const { statuses, providers } = makeServices();
      const { provider } = await providers.create({ ...input, id: ID });
      expect((await statuses.statusOf(provider)).record.state).toBe('UNKNOWN');
      for (const state of ['registered', 'registered', 'rejected', 'UNKNOWN', 'unregistered'] as const)
        await statuses.recordProviderState(ID, state);
      expect(await moves(statuses)).toEqual(['registered rejected']);
      await statuses.recordProviderState(ID, 'registered');
      say('registered');
      const off = await providers.patch(provider, { disabled: true });
      // The engine did not know yet that it is disabled.
      await statuses.recordProviderState(ID, 'unregistered');
      states.delete(ID);
      await providers.patch(off.provider, { disabled: false });
      await statuses.recordProviderState(ID, 'registered');
      expect(await moves(statuses)).toEqual([
        'registered rejected',
        'unregistered registered',
        'registered OFF',
      ]);
      expect(failures).toEqual([]);
    });

    test('a change reported to two nodes is written once', async () => {
      const [one, other] = [makeServices(), makeServices()];
      const before = await moves(one.statuses);
      await Promise.all([one, other, one, other].map((node) => node.history.record(ID, 'lagged')));
      expect(await moves(one.statuses)).toEqual([...before, 'registered lagged']);
    });

    test('nothing is recorded for a provider that does not exist', async () => {
      const { history, statuses } = makeServices();
      await history.record('SIP-GONE', 'registered');
      await statuses.recordProviderState('SIP-GONE', 'rejected');
      expect(await history.moves('SIP-GONE')).toEqual([]);
    });

    test('a fresh status is requested from the engine, but not for a disabled provider', async () => {
      const { statuses } = makeServices();
      const provider = (await store.find(ID)) as SipProvider;
      await statuses.freshStatusOf(provider);
      await statuses.freshStatusOf({ ...provider, disabled: true });
      expect(asked).toEqual([ID]);
    });

    test('the engine receives every provider in service with its secret, and is notified of each change', async () => {
      const { providers } = makeServices();
      let changes = 0;
      store.onChange(() => changes++);
      await providers.create({ ...input, id: 'SIP-OFF', disabled: true, host: '192.0.2.1' });
      await providers.create({ ...input, id: 'SIP-BARE', registration_type: 'inbound', secret: '' });
      await providers.create({
        ...input,
        id: 'SIP-PEER',
        registration_type: 'none',
        username: '',
        secret: '',
      });
      expect(changes).toBe(3);
      const inService = store.inService().map(({ id, secret }) => [id, secret]);
      expect(inService.sort()).toEqual([
        ['SIP-PEER', ''],
        [ID, 's'],
      ]);
      expect(store.providerHosts().sort()).toEqual(['192.0.2.1', 'sip.example.org']);
      await store.delete({ id: 'SIP-PEER', description: 'Peer' });
      expect(store.inService().map(({ id }) => id)).toEqual([ID]);
    });
  });
});
