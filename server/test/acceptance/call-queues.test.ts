import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 27: queues on $name', ({ open }) => {
  const held = useApp(open);
  const get = (path: string) => held.asAdmin('GET', path);
  const create = (fields: object) =>
    held.asAdmin('POST', '/call-queues', { name: 'Support', extension: '600', ...fields });
  const employee = (number: string, user_username: string, fields: object = {}) =>
    held.asAdmin('POST', '/employees', { number, user_username, sip_secret: 'long enough', ...fields });
  let id = '';

  test('a queue is stored with its members in order, each with its state', async () => {
    await employee('201', 'Anna', { mobile_number: '+491701234567' });
    await employee('202', 'Boris');
    const made = await create({
      members: [{ extension: 202 }, { extension: '201' }],
      timeout_extension: '201',
    });
    expect(made.status).toBe(201);
    id = made.body.data.id;
    expect(id).toMatch(/^QUEUE-[0-9A-F]{8}$/);
    expect(made.body.data).toMatchObject({
      name: 'Support',
      extension: '600',
      strategy: 'ringall',
      seconds_to_ring_each_member: 15,
      seconds_for_wrapup: 15,
      recive_calls_while_on_a_call: false,
      caller_hear: 'ringing',
      seconds_after_reject: 60,
      number_unanswered_calls_to_redirect: 3,
      timeout_extension_represent: 'Anna <201>',
      represent: 'Support <600>',
      members: [
        { id: '1', extension: '202', represent: 'Boris <202>', priority: 0, state: 'in', reason: '' },
        { id: '2', extension: '201', represent: 'Anna <201>', priority: 1, state: 'in', reason: '' },
      ],
    });
    expect((await get(`/call-queues/${id}`)).body.data).toEqual(made.body.data);
    expect((await get('/call-queues?search=support')).body.data).toEqual([
      {
        id,
        name: 'Support',
        extension: '600',
        description: '',
        strategy: 'ringall',
        members: [
          { extension: '202', represent: 'Boris <202>' },
          { extension: '201', represent: 'Anna <201>' },
        ],
        represent: 'Support <600>',
        search_index: 'support  600',
      },
    ]);
    expect((await get('/extensions/600')).body.data).toMatchObject({ type: 'QUEUE', recordId: id });
  });

  test.each([
    [{ strategy: 'wrandom' }, /^strategy: must be one of ringall, /],
    [{ extension: 'x' }, /^extension: must be 2..8 digits$/],
    [{ seconds_to_ring_each_member: 0 }, /^seconds_to_ring_each_member: must be 1..300 \(got 0\)$/],
    [{ seconds_to_ring_each_member: 301 }, /^seconds_to_ring_each_member: must be 1..300 \(got 301\)$/],
    [{ seconds_for_wrapup: -1 }, /^seconds_for_wrapup: must be 0..300 \(got -1\)$/],
    [{ members: [{ extension: '20a' }] }, /^members: \[0\]\.extension: must be a number of 1..20 digits$/],
    [{ members: [{}] }, /^members: \[0\]\.extension: required$/],
    [{ members: 'x' }, /^members: must be a list of objects$/],
    [{ members: [{ extension: '299' }] }, /^members\[0\]\.extension: no such employee$/],
    [{ members: [{ extension: '600' }] }, /^members\[0\]\.extension: no such employee$/],
    [
      { members: [{ extension: '201' }, { extension: '201' }] },
      /^members: \[1\]\.extension: 201 appears twice$/,
    ],
    [{ caller_hear: 'x' }, /^caller_hear: must be one of ringing, moh$/],
    [{ moh_sound_id: '9' }, /^moh_sound_id: no such sound file$/],
    [{ timeout_extension: '*45' }, /^timeout_extension: must be a number of 1..20 digits/],
  ])('bad input %j is 400', async (fields, error) => {
    const { status, body } = await create({ extension: '699', ...fields });
    expect(status).toBe(400);
    expect(body.messages.error).toEqual([expect.stringMatching(error)]);
  });

  test("a member may be an employee's mobile or an outside number", async () => {
    const made = await create({
      extension: '610',
      members: [{ extension: '+491701234567' }, { extension: '03012345678' }],
      redirect_to_extension_if_unanswered: '201',
    });
    expect(made.status).toBe(201);
    expect(made.body.data.members).toMatchObject([
      { represent: 'Anna <+491701234567>' },
      { represent: '03012345678' },
    ]);
    expect(made.body.messages.warning).toContain('redirect_to_extension_if_unanswered: has no effect');
  });

  test('contract 21.2: a target equal to its own number is 422', async () => {
    const { status, body } = await create({ extension: '611', redirect_to_extension_if_full: '611' });
    expect([status, body.messages.error]).toEqual([
      422,
      ['redirect_to_extension_if_full: must not be the own number'],
    ]);
  });

  test('contract 27.18: writes keep the states of members, and a new member starts in state in', async () => {
    const set = await held.asAdmin('POST', `/call-queues/${id}:setMemberState`, {
      extension: '201',
      state: 'paused',
      reason: 'lunch',
    });
    expect(set.body.data).toEqual({
      id: '2',
      extension: '201',
      represent: 'Anna <201>',
      priority: 1,
      state: 'paused',
      reason: 'lunch',
    });
    const patched = await held.asAdmin('PATCH', `/call-queues/${id}`, {
      members: [{ extension: '201' }, { extension: '202' }],
    });
    expect(patched.body.data.members).toMatchObject([
      { extension: '201', state: 'paused', reason: 'lunch' },
      { extension: '202', state: 'in' },
    ]);
    const copied = await held.asAdmin('POST', `/call-queues/${id}:copy`);
    expect(copied.status).toBe(201);
    expect(copied.body.data).toMatchObject({
      name: 'copy of Support',
      members: [{ state: 'in' }, { state: 'in' }],
    });
    await held.asAdmin('DELETE', `/call-queues/${copied.body.data.id}`);
    // contract 20.9
    const anna = (await get('/extensions/201')).body.data.recordId;
    await held.asAdmin('PATCH', `/employees/${anna}`, { number: '211' });
    expect((await get(`/call-queues/${id}`)).body.data.members[0]).toMatchObject({
      extension: '211',
      state: 'paused',
    });
    await held.asAdmin('PATCH', `/employees/${anna}`, { number: '201' });
  });

  test.each([
    [{ extension: '201', state: 'busy' }, 400],
    [{ extension: '201' }, 400],
    [{ extension: '201', state: 'in', reason: 'x'.repeat(81) }, 400],
    [{ extension: '201', state: 'in', reason: 'why' }, 400],
    [{ extension: '299', state: 'in' }, 404],
  ])('an invalid state or an unknown member is refused: %j is %i', async (body, status) => {
    expect((await held.asAdmin('POST', `/call-queues/${id}:setMemberState`, body)).status).toBe(status);
    expect((await held.asAdmin('POST', '/call-queues:setMemberState', body)).status).toBe(status);
  });

  test('a state may be set in all queues of a member at once', async () => {
    await create({ extension: '620', members: [{ extension: '202' }] });
    const { body } = await held.asAdmin('POST', '/call-queues:setMemberState', {
      extension: '202',
      state: 'out',
    });
    expect(body.data).toHaveLength(2);
    expect(body.data).toMatchObject([
      { extension: '202', state: 'out' },
      { extension: '202', state: 'out' },
    ]);
  });

  test('a deleted employee leaves the queues with a warning; one who is a target cannot be deleted', async () => {
    const boris = (await get('/extensions/202')).body.data.recordId;
    const gone = await held.asAdmin('DELETE', `/employees/${boris}`);
    expect(gone.status).toBe(200);
    expect(gone.body.messages.warning[0]).toMatch(/^Boris <202> was removed from queue "Support" /);
    expect((await get(`/call-queues/${id}`)).body.data.members).toMatchObject([{ extension: '201' }]);
    const anna = (await get('/extensions/201')).body.data.recordId;
    expect((await held.asAdmin('DELETE', `/employees/${anna}`)).status).toBe(409);
  });
});
