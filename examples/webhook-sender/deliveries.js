import { conflict } from '@pbxcore/module';

const PAGE = 50;

const shown = (row) => ({
  id: String(row.id),
  target: row.target,
  event: row.event,
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  error: row.error,
  created: iso(row.created_at),
  next: iso(row.next_at),
  done: iso(row.done_at),
  body: JSON.parse(row.body),
});
const iso = (ms) => (ms === null ? null : new Date(Number(ms)).toISOString());

/** Deliveries, newest first. @returns {import('@pbxcore/module').ResourceDefinition} */
export function deliveriesResource({ sender, log }) {
  return {
    path: '/pbxcore/api/v3/module-webhook-sender/deliveries',
    permission: 'webhook_deliveries',
    label: 'Webhook deliveries',
    channels: ['bearer_token'],
    id: '\\d+',
    list: {
      query: {
        target: { type: 'string', default: '' },
        state: { type: 'string', max: 20, default: '', description: 'pending, delivered or failed' },
      },
      handle({ query, limit = PAGE, offset }) {
        const { items, total } = log.list({ target: query.target, state: query.state, limit, offset });
        return { items: items.map(shown), total };
      },
    },
    read({ id }) {
      const row = log.get(id);
      return row && shown(row);
    },
    actions: [
      {
        name: 'retry',
        verb: 'POST',
        onItem: true,
        summary: 'Send once more what was delivered or given up',
        handle({ id }) {
          if (!log.revive(Number(id), Date.now())) throw conflict('it is still being delivered');
          sender.enqueue(Number(id));
          return shown(log.get(id));
        },
      },
    ],
  };
}
