import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { startScriptedAmi } from '../../../../test/scripted-ami.ts';
import { createAmi } from './ami.ts';
import { createPulse } from './pulse.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** Both connections to one engine, up. */
async function begin() {
  const server = await startScriptedAmi();
  opened.push(server.close);
  const place = () => ({ host: '127.0.0.1', port: server.port, user: 'pbxcore', secret: 'right' });
  const said = { downs: [] as string[], losses: 0, defects: [] as unknown[] };
  const onDefect = (error: unknown) => said.defects.push(error);
  const connection = createAmi({
    place,
    onUp: () => {},
    onDown: ({ message }) => said.downs.push(message),
    onDefect,
    firstRetryMs: 5,
  });
  opened.push(connection.close);
  await eventually(() => expect(connection.isUp).toBe(true));
  const pulse = createPulse({ place, connection, onLost: () => said.losses++, onDefect, answerMs: 3000 });
  opened.push(pulse.close);
  await eventually(() => expect(server.asked.filter((action) => action === 'Login')).toHaveLength(2));
  return { server, connection, said };
}

test('the first connection stays when the engine has no free place for a second one', async () => {
  const { server, connection, said } = await begin();
  server.fill();
  server.hangUpLast();
  await eventually(() => expect(server.turnedAway()).toBeGreaterThan(3));
  expect({ ...said, isUp: connection.isUp }).toEqual({ downs: [], losses: 1, defects: [], isUp: true });
});

test('the first connection is given up when the engine accepts a second one but does not answer on it', async () => {
  const { server, said } = await begin();
  server.fallSilent();
  server.hangUpLast();
  await eventually(() => expect(said.downs).toEqual(['the telephony engine did not answer Login']));
});

test('a connection that the engine turns away counts as turned away until it is let in', async () => {
  const { server, connection, said } = await begin();
  server.fill();
  server.hangUp();
  await eventually(() => expect(connection.isTurnedAway).toBe(true));
  expect(said.downs).toHaveLength(1);
  server.fill(false);
  await eventually(() => expect(connection.isUp).toBe(true));
  expect(connection.isTurnedAway).toBe(false);
});

test('a connection attempt without a listener does not count as turned away', async () => {
  const server = await startScriptedAmi();
  await server.close();
  const failed = Promise.withResolvers<Error>();
  const connection = createAmi({
    place: () => ({ host: '127.0.0.1', port: server.port, user: 'pbxcore', secret: 'right' }),
    onUp: () => {},
    onDown: () => {},
    onFailed: failed.resolve,
    onDefect: () => {},
  });
  opened.push(connection.close);
  expect((await failed.promise).message).toMatch(/ECONNREFUSED/);
  expect(connection.isTurnedAway).toBe(false);
});
