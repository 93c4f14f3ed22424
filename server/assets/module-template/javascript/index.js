/** @type {import('@pbxcore/module').ResourceDefinition} */
const notes = {
  path: '/pbxcore/api/v3/module-sample-notes/notes',
  permission: 'sample_notes',
  label: 'Sample notes',
  channels: ['bearer_token'],
  id: '\\d+',
  fields: {
    text: { type: 'string', required: true, min: 1, max: 500, search: true },
    done: { type: 'boolean', default: false },
  },
  // The exchange keeps the notes: listing with `limit`, `offset` and `search`, reading, creating, changing and deleting
  // need no code. Take `stored` away and write `list`, `read`, `create`, `update`, `remove` to do it yourself.
  stored: true,
  actions: [
    {
      name: 'finish',
      verb: 'POST',
      onItem: true,
      summary: 'Mark a note as done',
      handle: (call, context) => context.records('notes').update(call.id, { done: true }),
    },
    {
      name: 'count',
      verb: 'GET',
      summary: 'Count the notes',
      async handle(_call, context) {
        const { total } = await context.records('notes').list({ limit: 1 });
        return { total };
      },
    },
  ],
};

export default { resources: [notes] };
