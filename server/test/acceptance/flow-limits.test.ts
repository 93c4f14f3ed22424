import { beforeAll, describe, expect, test } from 'vitest';
import { createOutsider } from '../outsider.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract C12: the maximum number of records, on $name', ({ open }) => {
  const held = useApp(open);
  beforeAll(async () => {
    const provider = { id: 'SIP-P', description: 'A Provider', host: 'p.example' };
    expect((await held.asAdmin('POST', '/sip-providers', provider)).status).toBe(201);
  });

  test.each([
    ['incoming-routes', 1000, 'incoming routes', { extension: 'busy' }],
    ['outbound-routes', 1000, 'outbound routes', { rulename: 'Everything', providerid: 'SIP-P' }],
    ['off-work-times', 1000, 'off-work rules', { weekday_from: '6', weekday_to: '7', extension: 'busy' }],
    ['sound-files', 1000, 'sound files', { name: 'Hello' }],
    ['ivr-menu', 500, 'menus', { name: 'Main', extension: '700' }],
    ['call-queues', 500, 'queues', { name: 'Support', extension: '600' }],
  ])('the maximum of %s is %i; one more is 409', async (kind, most, many, fields) => {
    const create = () => held.asAdmin('POST', `/${kind}`, fields);
    const first = await create();
    expect(first.status, first.text).toBe(201);
    const { sql } = createOutsider(held.stores);
    const stored = (await held.asAdmin('GET', `/${kind}?limit=1000`)).body.data.length;
    // The missing records, each with the minimum that the table accepts.
    const rows = Array.from(
      { length: most - stored },
      (_, at) => `('${kind}', '${5000 + at}', null, 'Record', 1, '{}', '[]', 0, 0)`,
    );
    await sql(
      `insert into call_flow_records (kind, id, number, name, priority, fields, inside, created_at, updated_at) values ${rows.join(', ')}`,
    );
    const refused = await create();
    expect([refused.status, refused.body.messages.error]).toEqual([409, [`at most ${most} ${many}`]]);
    expect((await held.asAdmin('POST', `/${kind}/${first.body.data.id}:copy`)).status).toBe(
      kind === 'sound-files' ? 404 : 409,
    );
  });
});
