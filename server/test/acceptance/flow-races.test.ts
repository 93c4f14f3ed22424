import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

const ROUNDS = 8;

describe.each(availablePairs)('two writers of the call flow at once, on $name', ({ open }) => {
  const held = useApp(open);
  const { asAdmin } = held;
  const employee = async (number: string): Promise<string> => {
    const answer = await asAdmin('POST', '/employees', {
      number,
      user_username: `Person ${number}`,
      sip_secret: 'long enough',
    });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  };
  const read = async (path: string) => (await asAdmin('GET', path)).body.data;

  test('contract C2: copies that are stored at once each have a number and a priority of their own', async () => {
    const made = await asAdmin('POST', '/call-queues', { name: 'Support', extension: '600' });
    const copies = await Promise.all(
      Array.from({ length: ROUNDS }, () => asAdmin('POST', `/call-queues/${made.body.data.id}:copy`)),
    );
    expect(copies.map(({ status }) => status)).toEqual(Array(ROUNDS).fill(201));
    const numbers = copies.map(({ body }) => body.data.extension).sort();
    expect(numbers).toEqual(Array.from({ length: ROUNDS }, (_, at) => String(601 + at)));

    const route = await asAdmin('POST', '/incoming-routes', { extension: '600' });
    const routes = await Promise.all(
      Array.from({ length: ROUNDS }, () => asAdmin('POST', `/incoming-routes/${route.body.data.id}:copy`)),
    );
    expect(new Set(routes.map(({ body }) => body.data.priority)).size).toBe(ROUNDS);
  });

  test('contract 27: a member that is deleted meanwhile is refused or removed again', async () => {
    const counts = { refused: 0, left: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const id = await employee(String(300 + round));
      const members = [{ extension: String(300 + round) }];
      const [gone, made] = await Promise.all([
        asAdmin('DELETE', `/employees/${id}`),
        asAdmin('POST', '/call-queues', { name: 'Race', extension: String(650 + round), members }),
      ]);
      expect(gone.status).toBe(200);
      counts[made.status === 201 ? 'left' : 'refused']++;
      if (made.status === 201)
        expect(await read(`/call-queues/${made.body.data.id}`)).toMatchObject({ members: [] });
      else expect(made.body.messages.error).toEqual(['members[0].extension: no such employee']);
    }
    console.info(`members that were deleted meanwhile: ${JSON.stringify(counts)}`);
  });

  test('contract 24.7: if music becomes a message meanwhile, either its use or the change is refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const sound = await asAdmin('POST', '/sound-files', { name: `Music ${round}`, category: 'moh' });
      const { id } = sound.body.data;
      const [changed, made] = await Promise.all([
        asAdmin('PATCH', `/sound-files/${id}`, { category: 'custom' }),
        asAdmin('POST', '/call-queues', {
          name: 'Race',
          extension: String(670 + round),
          moh_sound_id: id,
        }),
      ]);
      expect([changed.status, made.status].sort()).toEqual(changed.status === 200 ? [200, 400] : [201, 409]);
    }
  });
});
