import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { createAddressGuard } from './address-guard.js';
import { post } from './post.js';

const guard = createAddressGuard();

test('private addresses are refused, in every spelling', () => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[fe80::1]',
    '[fc00::1]',
    '[ff02::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[2001:db8::1]',
  ])
    assert.match(guard.urlProblem(`https://${host}/hook`) ?? '', /not on the public internet/, host);
});

test('public addresses and names pass; a name is judged when it is connected to', () => {
  for (const url of ['https://93.184.215.14/', 'http://[2606:2800:21f::1]:8080/x', 'https://example.org/'])
    assert.equal(guard.urlProblem(url), undefined, url);
});

test('only http and https without credentials', () => {
  for (const url of ['', 'x', 'ftp://example.org', 'file:///etc/passwd', 'https://user:pw@example.org/'])
    assert.ok(guard.urlProblem(url), url);
});

test('networks that the operator names are allowed, and only those', () => {
  const open = createAddressGuard({ allowPrivate: '10.0.0.0/8, ::1' });
  assert.equal(open.urlProblem('http://10.9.9.9/'), undefined);
  assert.equal(open.urlProblem('http://[::1]/'), undefined);
  assert.ok(open.urlProblem('http://192.168.0.1/'));
  assert.throws(() => createAddressGuard({ allowPrivate: 'everything' }), /not a network/);
  assert.throws(() => createAddressGuard({ allowPrivate: '0.0.0.0/0' }), /not a network/);
});

test('a name that leads inside is refused before a byte is sent, whatever it said before', async () => {
  let connections = 0;
  const server = createServer(() => {}).on('connection', () => connections++);
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  const sent = { url: `http://rebinding.example:${port}/`, body: '{}', headers: {}, timeoutMs: 2000 };
  const resolver = (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
  await assert.rejects(post({ ...sent, guard: createAddressGuard({ resolver }) }), /not on the public/);
  // A public address does not excuse a private one beside it.
  const mixed = (_name, _options, done) =>
    done(null, [
      { address: '93.184.215.14', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]);
  await assert.rejects(
    post({ ...sent, guard: createAddressGuard({ resolver: mixed }) }),
    /not on the public/,
  );
  assert.equal(connections, 0);
  server.close();
});
