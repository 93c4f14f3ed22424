import { describe, expect, onTestFinished, test } from 'vitest';
import { storePairs } from '../make-app.ts';
import { useClientRig } from './client-rig.ts';

// Its HTTP library would use a proxy from the environment even for loopback.
process.env.NO_PROXY = '127.0.0.1';
const { BouncerClient } = await import('crowdsec-client');

describe.each(storePairs.filter(({ available }) => available))(
  'the npm client crowdsec-client, service on $name',
  (pair) => {
    const rig = useClientRig(pair);
    const { ban, lift } = rig;

    async function connect(name: string) {
      const { key } = await rig.app.createKey({ client: name });
      const client = new BouncerClient({
        url: rig.url,
        auth: { apiKey: key },
        // The client's default of two seconds is too short for a busy machine.
        timeout: 30_000,
      });
      await client.login();
      return client;
    }

    /** Follows the stream; the client's events, in order, determine what is blocked. */
    async function follow(name: string) {
      const client = await connect(name);
      const blocked = new Set<string>();
      const seen = { polls: 0, errors: [] as string[], openings: [] as string[] };
      const stream = client.Decisions.getStream({ interval: 100, scopes: ['ip', 'range'] });
      stream.on('added', ({ value }) => void blocked.add(value));
      stream.on('deleted', ({ value }) => {
        blocked.delete(value);
        seen.openings.push(value);
      });
      stream.on('error', (error) => void seen.errors.push(String(error)));
      stream.on('raw', () => void seen.polls++);
      stream.resume();
      onTestFinished(() => client.stop());
      return { blocked, seen };
    }
    const soon = { timeout: 30_000, interval: 20 };

    test('as specified: a single duration of 100 s or more makes it drop the whole poll', async () => {
      await ban('203.0.113.7', 600);
      await ban('203.0.113.8', 60);
      const { blocked, seen } = await follow('');
      await expect.poll(() => seen.errors, soon).toContainEqual(expect.stringMatching(/fail to parse/));
      expect([...blocked]).not.toContain('203.0.113.7');
      const client = await connect('');
      await expect(client.Decisions.search({ ip: '203.0.113.7' })).rejects.toThrow(/parse duration "600s"/);
    });

    test('as a known client: bans and ranges apply, lifted and expired ones end, nothing fails', async () => {
      await ban('203.0.113.7', 31_536_000);
      await ban('203.0.113.8', 60);
      await ban('198.51.100.0/24', 600);
      const { blocked, seen } = await follow('crowdsec-client');
      const wanted = (...values: string[]) =>
        expect.poll(() => [...blocked].sort(), soon).toEqual(values.sort());
      await wanted('203.0.113.7', '203.0.113.8', '198.51.100.0/24');
      await lift('203.0.113.7');
      await wanted('203.0.113.8', '198.51.100.0/24');
      await rig.app.advance(61_000);
      await wanted('198.51.100.0/24');
      expect(seen.errors).toEqual([]);
    });

    test('as a known client: an address with two bans is not deleted while one of them lasts', async () => {
      await ban('203.0.113.7', 600, 'sip');
      await ban('203.0.113.7', 900, 'http');
      const { blocked, seen } = await follow('crowdsec-client');
      await expect.poll(() => blocked.size, soon).toBe(1);
      await lift('203.0.113.7', 'sip');
      const { polls } = seen;
      await expect.poll(() => seen.polls, soon).toBeGreaterThan(polls + 2);
      expect([[...blocked], seen.openings]).toEqual([['203.0.113.7'], []]);
      await lift('203.0.113.7');
      await expect.poll(() => blocked.size, soon).toBe(0);
    });

    test('while the service is away it reports an error per poll and keeps its earlier decisions', async () => {
      await ban('203.0.113.7', 600);
      const { blocked, seen } = await follow('crowdsec-client');
      await expect.poll(() => blocked.size, soon).toBe(1);
      await rig.app.close();
      await expect.poll(() => seen.errors.length, soon).toBeGreaterThan(1);
      expect([...blocked]).toEqual(['203.0.113.7']);
    });

    test('as a known client: a lookup finds a ban with its end, and no other address', async () => {
      await ban('203.0.113.7', 600);
      const client = await connect('crowdsec-client');
      const [found] = (await client.Decisions.search({ ip: '203.0.113.7' })) ?? [];
      expect(found).toMatchObject({
        value: '203.0.113.7',
        duration: expect.stringMatching(/^10m0s$|^9m5\ds$/),
      });
      expect(await client.Decisions.search({ ip: '203.0.113.8' })).toEqual([]);
    });
  },
);
