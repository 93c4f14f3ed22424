import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { openModule } from '@pbxcore/module/testing';
import main from './index.js';
import { sign } from './signature.js';

const received = [];
let answers = [];
let url = '';
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    const { status = 200, headers = {} } = answers.shift() ?? {};
    response.writeHead(status, headers).end('thanks');
    server.emit('received');
  });
});
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${server.address().port}/hook`;
});
after(() => server.close());
beforeEach(() => {
  received.length = 0;
  answers = [];
});

const settings = { allow_private: '127.0.0.0/8', timeout_seconds: 5, attempts: 3, keep_days: 1 };
const ban = { address: '198.51.100.7', category: 'sip', expiresAt: null };

async function opened(fields = {}) {
  const module = await openModule(main, { settings });
  const target = await module.call('POST', '/targets', { body: { url, ...fields } });
  assert.equal(target.status, 201);
  return { module, target: target.data };
}

/** The newest delivery, once it has had this many attempts. */
async function tried(module, attempts) {
  for (;;) {
    const [latest] = (await module.call('GET', '/deliveries')).data;
    if (latest?.attempts >= attempts) return latest;
    await new Promise((done) => setImmediate(done));
  }
}

test('an event arrives once, with a signature that the receiver can check', async () => {
  const { module, target } = await opened();
  await module.emit('ban-added', ban);
  assert.equal((await tried(module, 1)).state, 'delivered');
  const [{ headers, body }] = received;
  assert.equal(headers['x-pbxcore-event'], 'ban-added');
  const timestamp = headers['x-pbxcore-timestamp'];
  assert.ok(Math.abs(Date.now() / 1000 - Number(timestamp)) < 5);
  assert.equal(headers['x-pbxcore-signature'], sign(target.secret, timestamp, body));
  assert.deepEqual(JSON.parse(body).data, ban);
  assert.equal(received.length, 1);
  await module.close();
});

test('what fails is tried again later and later, and given up at last', async () => {
  const { module } = await opened();
  answers = [{ status: 500 }, { status: 503, headers: { 'retry-after': '40' } }, { status: 500 }];
  await module.emit('ban-lifted', ban);
  assert.equal((await tried(module, 1)).error, 'answered 500');
  await module.advance(4_000);
  assert.equal(received.length, 1);
  await module.advance(1_000);
  const second = await tried(module, 2);
  const wait = Date.parse(second.next) - Date.now();
  assert.ok(wait > 35_000 && wait <= 40_000, `Retry-After is kept (${wait})`);
  await module.advance(40_000);
  const last = await tried(module, 3);
  assert.deepEqual([last.state, last.status], ['failed', 500]);
  assert.equal(received.length, 3);

  const again = await module.call('POST', `/deliveries/${last.id}:retry`);
  assert.equal(again.data.state, 'pending');
  assert.equal((await tried(module, 1)).state, 'delivered');
  await module.close();
});

test('a refusal is final, and a redirect is not followed', async () => {
  const { module } = await opened();
  answers = [{ status: 404 }, { status: 302, headers: { location: url } }];
  await module.emit('ban-added', ban);
  assert.equal((await tried(module, 1)).state, 'failed');
  await module.emit('ban-added', ban);
  const { id } = (await module.call('GET', '/deliveries', { query: { limit: 1 } })).data[0];
  while ((await module.call('GET', `/deliveries/${id}`)).data.state === 'pending')
    await new Promise((done) => setImmediate(done));
  assert.equal((await module.call('GET', `/deliveries/${id}`)).data.error, 'answered 302');
  assert.equal(received.length, 2);
  await module.close();
});

test('a target hears only what it asked for, and nothing once it is switched off', async () => {
  const { module, target } = await opened({ events: ['call-missed'] });
  await module.emit('ban-added', ban);
  await module.emit('call-missed', { linkedid: '1' });
  await tried(module, 1);
  assert.deepEqual(
    received.map(({ headers }) => headers['x-pbxcore-event']),
    ['call-missed'],
  );
  await module.call('PATCH', `/targets/${target.id}`, { body: { enabled: false } });
  await module.emit('call-missed', { linkedid: '2' });
  assert.equal((await module.call('GET', '/deliveries')).total, 1);
  await module.close();
});

test('a secret is shown once, and kept when the mask comes back', async () => {
  const { module, target } = await opened();
  assert.match(target.secret, /^[0-9a-f]{64}$/);
  const read = (await module.call('GET', `/targets/${target.id}`)).data;
  assert.equal(read.secret, 'XXXXXXXX');
  assert.equal((await module.call('GET', '/targets')).data[0].secret, 'XXXXXXXX');
  const change = (verb, body) => module.call(verb, `/targets/${target.id}`, { body });
  assert.equal((await change('PATCH', { description: 'CRM' })).status, 200);
  assert.equal((await change('PUT', read)).status, 200);
  assert.equal((await change('PATCH', { secret: 'too short' })).status, 422);
  assert.equal((await module.context.records('targets').get(target.id)).secret, target.secret);
  await module.close();
});

test('a target in a private network is refused unless it is allowed; so is an unknown event', async () => {
  const module = await openModule(main);
  const refused = await module.call('POST', '/targets', { body: { url } });
  assert.equal(refused.status, 422);
  assert.match(refused.errors[0], /^url: 127\.0\.0\.1 is not on the public internet/);
  const unknown = await module.call('POST', '/targets', {
    body: { url: 'https://example.org', events: ['x'] },
  });
  assert.match(unknown.errors[0], /^events: must be some of/);
  await module.close();
});

test('a test event can be sent by hand', async () => {
  const { module, target } = await opened();
  const { data } = await module.call('POST', `/targets/${target.id}:test`);
  assert.equal((await tried(module, 1)).id, data.delivery);
  assert.equal(received[0].headers['x-pbxcore-event'], 'test');
  await module.close();
});
