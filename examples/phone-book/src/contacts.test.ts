import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openModule } from '@pbxcore/module/testing';
import main from './index.js';

const add = (name: string, number: string) => ({ body: { name, number } });

test('a contact is found by its number, however it is written', async () => {
  const book = await openModule(main);
  const added = await book.call('POST', '/contacts', add('Ada', '030 12345678'));
  assert.equal(added.status, 201);
  assert.equal(added.data.number, '+493012345678');
  const found = await book.call('GET', '/contacts:lookup', { query: { number: '0049 30 12345678' } });
  assert.equal(found.data.name, 'Ada');
  assert.equal((await book.call('GET', '/contacts:lookup', { query: { number: '112' } })).status, 404);
  await book.close();
});

test('one number belongs to one contact', async () => {
  const book = await openModule(main);
  await book.call('POST', '/contacts', add('Ada', '030 12345678'));
  assert.equal((await book.call('POST', '/contacts', add('Bob', '+49 30 12345678'))).status, 409);
  const second = await book.call('POST', '/contacts', add('Bob', '030 99999999'));
  const body = { number: '0049 30 12345678' };
  assert.equal((await book.call('PATCH', `/contacts/${second.data.id}`, { body })).status, 409);
  await book.close();
});

test('a text that is not a number is refused, on create and on change', async () => {
  const book = await openModule(main);
  assert.equal((await book.call('POST', '/contacts', add('Ada', 'later'))).status, 422);
  await book.call('POST', '/contacts', add('Ada', '201'));
  const changed = await book.call('PATCH', '/contacts/1', { body: { number: 'x' } });
  assert.deepEqual(changed.errors, ['number: "x" is not a telephone number']);
  assert.equal((await book.call('PATCH', '/contacts/1', { body: { name: 'Ada L' } })).data.number, '201');
  await book.close();
});

test('a file adds and changes contacts, and wrong lines are reported', async () => {
  const book = await openModule(main);
  await book.call('POST', '/contacts', add('Ada', '030 12345678'));
  const csv =
    'Name;Number;Company\nAda L;+49 30 12345678;Engines\nBob;201;\n;202;\nEve;none;\n"=cmd";+4940555000;x\n';
  const { data } = await book.call('POST', '/contacts:import', { body: { csv } });
  assert.deepEqual(data, {
    created: 2,
    updated: 1,
    errors: [
      { line: 4, reason: 'name: must not be empty' },
      { line: 5, reason: 'number: "none" is not a telephone number' },
    ],
  });
  const out = await book.call('GET', '/contacts:export');
  assert.equal(out.data.headers['Content-Type'], 'text/csv; charset=utf-8');
  assert.equal(
    out.data.echo,
    "name,number,company,note\r\nAda L,+493012345678,Engines,\r\nBob,201,,\r\n'=cmd,+4940555000,x,\r\n",
  );
  // Importing what was exported changes nothing.
  const again = await book.call('POST', '/contacts:import', { body: { csv: out.data.echo } });
  assert.deepEqual(again.data, { created: 0, updated: 3, errors: [] });
  assert.equal((await book.call('GET', '/contacts', { query: { search: '=cmd' } })).total, 1);
  await book.close();
});

test('a file without the columns is refused as a whole', async () => {
  const book = await openModule(main);
  const refused = await book.call('POST', '/contacts:import', { body: { csv: 'Ada,201' } });
  assert.equal(refused.status, 422);
  await book.close();
});

test('an incoming call shows up with the name of its caller', async () => {
  const book = await openModule(main);
  await book.call('POST', '/contacts', { body: { name: 'Ada', company: 'Engines', number: '030 12345678' } });
  const call = {
    linkedid: 'c1',
    src_num: '004930 12345678',
    src_name: '',
    dst_num: '201',
    dst_name: '',
    did: '4930555',
    direction: 'incoming',
    start: Date.UTC(2026, 4, 4),
    answer: null,
    end: null,
    duration: 0,
    billsec: 0,
    disposition: '',
  } as const;
  await book.emit('call-started', call);
  await book.emit('call-started', { ...call, linkedid: 'c2', direction: 'internal' });
  const ringing = await book.call('GET', '/incoming');
  assert.equal(ringing.total, 1);
  assert.equal(ringing.data[0].name, 'Ada, Engines');
  assert.equal(ringing.data[0].state, 'ringing');
  assert.equal(await book.callerName('0049 30 12345678'), 'Ada, Engines');
  assert.equal(await book.callerName('anonymous'), undefined);
  await book.emit('call-ended', call);
  await book.emit('call-missed', call);
  assert.equal((await book.call('GET', '/incoming')).data[0].state, 'missed');
  // Answered before the name was found.
  const quick = { ...call, linkedid: 'c3' };
  await Promise.all([book.emit('call-started', quick), book.emit('call-answered', quick)]);
  const [answered] = (await book.call('GET', '/incoming')).data;
  assert.deepEqual([answered.linkedid, answered.state, answered.name], ['c3', 'answered', 'Ada, Engines']);
  await book.close();
});
