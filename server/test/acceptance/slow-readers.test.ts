import { describe, expect, test } from 'vitest';
import { STREAM, useFirewall } from '../firewall-rig.ts';
import { connectSlowClient, manyAddresses } from '../slow-client.ts';
import { availablePairs } from './use-app.ts';

const CONNECTIONS = 14;

describe.each(availablePairs)('readers that read nothing, on $name', (pair) => {
  const firewall = useFirewall(pair);

  test('a key with fourteen of them does not affect other keys, and keeps the two youngest', async () => {
    const { app } = firewall;
    await firewall.insertFilter({ deny: manyAddresses(60_000).join(' ') });
    const other = (await app.createKey({ description: 'other' })).key;
    const clients = [];
    for (let i = 0; i < CONNECTIONS; i++) {
      const client = await connectSlowClient({ port: app.port, path: STREAM, key: firewall.key });
      await client.began;
      clients.push(client);
      await app.advance(1000);
      expect((await firewall.poll('', other)).new).toHaveLength(60_000);
    }
    const read = await Promise.all(clients.map((client) => client.readAll().catch(() => '')));
    const whole = read.filter((text) => text.endsWith(']}'));
    expect(whole.length).toBe(2);
    expect(read.slice(-2)).toEqual(whole);
  }, 120_000);
});
