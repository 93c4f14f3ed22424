import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openModule } from '@pbxcore/module/testing';
import main from './index.js';

test('a note is created, finished and counted', async () => {
  const notes = await openModule(main);
  const created = await notes.call('POST', '/notes', { body: { text: 'Order a headset' } });
  assert.equal(created.status, 201);
  assert.equal(created.data.done, false);

  const finished = await notes.call('POST', `/notes/${created.data.id}:finish`);
  assert.equal(finished.data.done, true);
  assert.deepEqual((await notes.call('GET', '/notes:count')).data, { total: 1 });
  await notes.close();
});

test('a note without text is refused', async () => {
  const notes = await openModule(main);
  const refused = await notes.call('POST', '/notes', { body: {} });
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.errors, ['text: required']);
  await notes.close();
});
