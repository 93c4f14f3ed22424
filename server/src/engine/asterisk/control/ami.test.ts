import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { startScriptedAmi } from '../../../../test/scripted-ami.ts';
import { EngineAway } from '../../../lib/errors.ts';
import { type AmiMessage, AmiRefused, createAmi } from './ami.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

type Script = Parameters<typeof startScriptedAmi>[0];

async function begin(
  script?: Script,
  { secret = 'right', ...options }: { secret?: string; pingMs?: number; timeoutMs?: number } = {},
) {
  const server = await startScriptedAmi(script);
  opened.push(server.close);
  const said = { ups: 0, downs: [] as Error[], failures: [] as Error[], defects: [] as unknown[] };
  const ami = createAmi({
    place: () => ({ host: '127.0.0.1', port: server.port, user: 'pbxcore', secret }),
    onUp: () => said.ups++,
    onDown: (reason) => said.downs.push(reason),
    onFailed: (reason) => said.failures.push(reason),
    onDefect: (error) => said.defects.push(error),
    firstRetryMs: 5,
    ...options,
  });
  opened.push(ami.close);
  const up = (times = 1) => eventually(() => expect(said.ups).toBe(times));
  return { server, ami, said, up };
}

test('each answer belongs to the action with its id, whatever the order of arrival', async () => {
  const held: (() => void)[] = [];
  const { ami, up } = await begin(({ ActionID = '', Which = '' }, send) => {
    held.unshift(() => send({ Response: 'Success', ActionID, Which }));
    if (held.length === 3) for (const answer of held) answer();
  });
  await up();
  const answers = await Promise.all(['a', 'b', 'c'].map((Which) => ami.action('Echo', { Which })));
  expect(answers.map(({ Which }) => Which)).toEqual(['a', 'b', 'c']);
});

test('a list has its own events between its answer and its end; listeners receive all others', async () => {
  const { ami, up } = await begin(({ ActionID = '' }, send) => {
    send({ Response: 'Success', ActionID, EventList: 'start' });
    send({ Event: 'ContactList', ActionID, Uri: 'one' });
    send({ Event: 'ContactStatus', URI: 'elsewhere' });
    send({ Event: 'ContactList', ActionID, Uri: 'two' });
    send({ Event: 'ContactListComplete', ActionID, EventList: 'Complete', ListItems: '2' });
  });
  await up();
  const heard: AmiMessage[] = [];
  ami.listen((event) => heard.push(event));
  const list = await ami.list('PJSIPShowContacts');
  expect(list.map(({ Uri }) => Uri)).toEqual(['one', 'two']);
  expect(heard.map(({ Event }) => Event)).toEqual(['ContactStatus']);
});

test('"nothing found" is an empty list, any other refusal is an error', async () => {
  const { ami, up } = await begin(({ ActionID = '', Action }, send) => {
    const Message = Action === 'PJSIPShowContacts' ? 'No Contacts found' : 'Permission denied';
    send({ Response: 'Error', ActionID, Message });
  });
  await up();
  expect(await ami.list('PJSIPShowContacts')).toEqual([]);
  await expect(ami.list('PJSIPShowEndpoints')).rejects.toThrow(AmiRefused);
  await expect(ami.action('Originate')).rejects.toThrow('Originate: Permission denied');
});

test('a command returns the lines that the engine printed', async () => {
  const { ami, up } = await begin(({ ActionID, Command }, send) =>
    send(`Response: Success\r\nActionID: ${ActionID}\r\nOutput: ${Command}\r\nOutput:   done\r\n\r\n`),
  );
  await up();
  expect(await ami.command('core show uptime')).toBe('core show uptime\n  done');
});

test('an action fails at once without a connection, and a pending one fails when the connection is lost', async () => {
  const { ami, server, said, up } = await begin();
  await expect(ami.action('Ping')).rejects.toThrow(EngineAway);
  await up();
  const question = ami.action('NeverAnswered');
  server.hangUp();
  await expect(question).rejects.toThrow(EngineAway);
  expect(said.downs).toHaveLength(1);
  await up(2);
  expect(ami.isUp).toBe(true);
});

test('a wrong secret is a failed attempt, which is repeated', async () => {
  const { ami, server, said } = await begin(undefined, { secret: 'wrong' });
  await eventually(() => expect(server.asked.length).toBeGreaterThan(2));
  expect(said.failures[0]?.message).toMatch(/Authentication failed/);
  expect({ isUp: ami.isUp, ups: said.ups, downs: said.downs }).toEqual({ isUp: false, ups: 0, downs: [] });
});

test('the connection to an engine that stops answering is given up', async () => {
  const { ami, server, said, up } = await begin(undefined, { pingMs: 10, timeoutMs: 500 });
  await up();
  server.fallSilent();
  await eventually(() => expect(said.downs).toHaveLength(1));
  await expect(ami.action('Anything')).rejects.toThrow(EngineAway);
});

test('an event may have a field with the name of an answer field', async () => {
  const { ami, server, up } = await begin();
  await up();
  const heard: string[] = [];
  ami.listen(({ Event = '' }) => heard.push(Event));
  server.tell({ Event: 'ChallengeResponseFailed', Service: 'PJSIP', Response: '0123', ExpectedResponse: '' });
  await eventually(() => expect(heard).toEqual(['ChallengeResponseFailed']));
});

test('the connection to an engine that sends too large a message is given up', async () => {
  const { server, said, up } = await begin();
  await up();
  server.tell(`Event: ${'x'.repeat(300_000)}`);
  await eventually(() => expect(said.downs[0]?.message).toMatch(/too large/));
  await up(2);
});

test('a listener that throws is reported, and the others still receive the event', async () => {
  const { ami, server, said, up } = await begin();
  await up();
  const heard: string[] = [];
  ami.listen(() => {
    throw new Error('a defect of ours');
  });
  ami.listen(({ Event = '' }) => heard.push(Event));
  server.tell({ Event: 'PeerStatus' });
  await eventually(() => expect(heard).toEqual(['PeerStatus']));
  expect(said.defects).toHaveLength(1);
  expect(ami.isUp).toBe(true);
});
