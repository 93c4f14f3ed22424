import { action, type Call, type Context, type FieldDescriptions, resource } from '@pbxcore/module';

const fields = {
  text: { type: 'string', required: true, min: 1, max: 500, search: true },
  done: { type: 'boolean', default: false },
} as const satisfies FieldDescriptions;

/**
 * The exchange keeps the notes: listing with `limit`, `offset` and `search`, reading, creating, changing and deleting
 * need no code. Take `stored` away and write methods with @list, @read, @create, @update, @remove to do it yourself.
 */
@resource({
  path: '/pbxcore/api/v3/module-sample-notes/notes',
  permission: 'sample_notes',
  label: 'Sample notes',
  channels: ['bearer_token'],
  id: '\\d+',
  fields,
  stored: true,
})
export class Notes {
  /** POST /notes/{id}:finish */
  @action({ verb: 'POST', onItem: true, summary: 'Mark a note as done' })
  finish(call: Call, context: Context) {
    return context.records('notes').update(call.id, { done: true });
  }

  /** GET /notes:count */
  @action({ verb: 'GET', summary: 'Count the notes' })
  async count(_call: Call, context: Context) {
    const { total } = await context.records('notes').list({ limit: 1 });
    return { total };
  }
}
