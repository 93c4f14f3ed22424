import { beforeAll, describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

const KINDS: [string, object][] = [
  ['incoming-routes', { number: '030123', extension: '201' }],
  ['outbound-routes', { rulename: 'Everything', providerid: '' }],
  ['off-work-times', { description: 'Weekend', weekday_from: '6', weekday_to: '7', extension: '201' }],
  ['sound-files', { name: 'Hello' }],
  ['ivr-menu', { name: 'Main', extension: '700', timeout_extension: '201' }],
  [
    'call-queues',
    { name: 'Support', extension: '600', timeout_extension: '201', members: [{ extension: '201' }] },
  ],
];

describe.each(availablePairs)('lists of the call flow on $name', ({ open }) => {
  const { asAdmin } = useApp(open);
  const store = async (path: string, body: object): Promise<string> => {
    const answer = await asAdmin('POST', path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  };
  const list = async (path: string) => (await asAdmin('GET', path)).body.data;
  let provider: string;
  beforeAll(async () => {
    await store('/employees', { number: '201', user_username: 'Anna', sip_secret: 'long enough' });
    provider = await store('/sip-providers', {
      description: 'P',
      host: '192.0.2.1',
      username: 'p',
      secret: 'long enough',
    });
  });

  /** The list shows these fields as words. */
  const SHOWN_OTHERWISE = ['weekday_from', 'weekday_to', 'audio_message_id'];

  test.each(KINDS)(
    'contract C6: sending back an item of the list of %s causes no warning and changes nothing',
    async (kind, fields) => {
      const providerid = kind === 'outbound-routes' && { providerid: provider };
      const id = await store(`/${kind}`, { ...fields, ...providerid });
      const before = (await asAdmin('GET', `/${kind}/${id}`)).body.data;
      const item = (await list(`/${kind}`)).find((one: { id: string }) => one.id === id);
      const sent = Object.entries(item).filter(
        ([name]) => kind !== 'off-work-times' || !SHOWN_OTHERWISE.includes(name),
      );
      const { status, body, text } = await asAdmin('PATCH', `/${kind}/${id}`, Object.fromEntries(sent));
      expect(status, text).toBe(200);
      expect(body.messages.warning.filter((one: string) => one.includes('unknown field'))).toEqual([]);
      expect(body.data).toEqual(before);
    },
  );

  test('contract C5: an unknown order is the default, a direction needs a known order, ties are by id', async () => {
    const path = '/off-work-times';
    const made: string[] = [];
    for (const [description, priority] of [
      ['Tie', 30],
      ['Tie', 20],
      ['Alone', 20],
      ['Tie', 40],
    ])
      made.push(
        await store(path, { description, priority, extension: 'busy', weekday_from: 7, weekday_to: 7 }),
      );
    const [first, second, third, fourth] = made as [string, string, string, string];
    const order = async (query: string) =>
      (await list(`${path}?${query}`))
        .map(({ id }: { id: string }) => id)
        .filter((id: string) => made.includes(id));
    const byPriority = [second, third, first, fourth];
    for (const query of [
      '',
      'order=colour',
      'order=colour&orderWay=desc',
      'orderWay=desc',
      'order_direction=desc',
      'order=',
      'order=constructor',
    ])
      expect(await order(query), query).toEqual(byPriority);
    expect(await order('order=priority&orderWay=desc')).toEqual([fourth, first, second, third]);
    expect(await order('order=priority&orderWay=sideways')).toEqual(byPriority);
    expect(await order('order_by=name&order_direction=DESC')).toEqual([first, second, fourth, third]);
    expect(await order('order=name')).toEqual([third, first, second, fourth]);
  });
});
