import { randomBytes } from 'node:crypto';
import { invalid, notFound } from '@pbxcore/module';

export const EVENTS = [
  'call-started',
  'call-answered',
  'call-ended',
  'call-missed',
  'ban-added',
  'ban-lifted',
];
const MASK = 'XXXXXXXX';

/** A secret is shown once, when the target is created. */
const masked = (target) => ({ ...target, secret: MASK });

/** Where deliveries go. @returns {import('@pbxcore/module').ResourceDefinition} */
export function targetsResource({ context, sender, log, changed }) {
  const records = context.records('targets');

  /** Checks beyond the declared fields. */
  function check({ url, events, secret }) {
    // The mask itself is shorter, and must pass: it means "unchanged".
    if (secret && secret !== MASK && secret.length < 16) throw invalid('secret: at least 16 characters');
    const problem = url === undefined ? undefined : sender.urlProblem(url);
    if (problem) throw invalid(`url: ${problem}`);
    const unknown = (events ?? []).find((name) => !EVENTS.includes(name));
    if (unknown !== undefined) throw invalid(`events: must be some of ${EVENTS.join(', ')}`);
  }

  return {
    path: '/pbxcore/api/v3/module-webhook-sender/targets',
    permission: 'webhook_targets',
    label: 'Webhook targets',
    channels: ['bearer_token'],
    id: '\\d+',
    stored: true,
    fields: {
      url: { type: 'string', required: true, min: 1, max: 2000, description: 'http or https' },
      events: { type: 'array', default: EVENTS, description: EVENTS.join(', ') },
      secret: {
        type: 'string',
        max: 200,
        description: 'Signs every delivery. Made if not given; shown only in the answer to its creation',
      },
      enabled: { type: 'boolean', default: true },
      description: { type: 'string', max: 200, default: '', search: true },
    },
    async list({ limit, offset, query }) {
      const search = query.search && { search: query.search };
      if (limit) {
        const { items, total } = await records.list({ limit, offset, ...search });
        return { items: items.map(masked), total };
      }
      const all = [];
      for await (const target of records.each({ ...search })) all.push(masked(target));
      return all;
    },
    async read({ id }) {
      const found = await records.get(id);
      return found && masked(found);
    },
    async create({ body }) {
      check(body);
      const secret = body.secret ?? randomBytes(32).toString('hex');
      const created = await records.create({ ...body, secret });
      changed();
      return created;
    },
    async update({ id, body }) {
      check(body);
      const { secret, ...changes } = body;
      // A record that was read and is sent back contains the mask, or no secret.
      const wanted = secret && secret !== MASK ? { ...changes, secret } : changes;
      const written = await records.update(id, wanted);
      changed();
      if (!written) throw notFound(`target ${id} not found`);
      return masked(written);
    },
    async remove({ id }) {
      await records.remove(id);
      changed();
      log.drop(id);
    },
    actions: [
      {
        name: 'test',
        verb: 'POST',
        onItem: true,
        summary: 'Send an event of type `test` now',
        async handle({ id }) {
          const delivery = sender.send('test', await records.get(id), { text: 'This is a test.' });
          return { delivery: delivery === undefined ? null : String(delivery) };
        },
      },
    ],
  };
}
