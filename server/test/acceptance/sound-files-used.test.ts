import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { toneFile, upload } from './sound-rig.ts';
import { useApp } from './use-app.ts';

describe('contract 24.7: sounds that somebody uses', () => {
  const running = useApp();

  /** A queue that names a sound, whatever else queues have. */
  function storeQueue(soundId: string, field: string): void {
    const db = new DatabaseSync(join(running.app.config.dataDir, 'pbxcore.sqlite'));
    const record = [
      'call-queues',
      `QUEUE-${field}`,
      'Support',
      0,
      JSON.stringify({ [field]: soundId }),
      0,
      0,
    ];
    db.prepare(
      'insert into call_flow_records (kind, id, name, priority, fields, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?)',
    ).run(...record);
    db.prepare(
      "insert into call_flow_references (kind, id, field, named, name, gives_way) values ('call-queues', ?, ?, 'sound', ?, '0')",
    ).run(`QUEUE-${field}`, field, soundId);
    db.exec('update call_flow_changes set version = version + 1');
    db.close();
  }

  test('the music of a queue stays music, and neither it nor an announcement can be deleted', async () => {
    const { id } = (await upload(running.app, toneFile(), { fields: { name: 'Harp', category: 'moh' } })).body
      .data;
    storeQueue(id, 'moh_sound_id');
    const used = 'is used by queue "Support" (QUEUE-moh_sound_id)';
    expect(await running.asAdmin('DELETE', `/sound-files/${id}`)).toMatchObject({
      status: 409,
      body: { messages: { error: [`sound file "Harp" ${used}`] } },
    });
    expect(await running.asAdmin('PATCH', `/sound-files/${id}`, { category: 'custom' })).toMatchObject({
      status: 409,
      body: { messages: { error: [`category: ${used}`] } },
    });
    expect(await upload(running.app, toneFile(), { fields: { id, category: 'custom' } })).toMatchObject({
      status: 409,
    });
    expect(await running.asAdmin('PATCH', `/sound-files/${id}`, { name: 'Lute' })).toMatchObject({
      status: 200,
    });

    const announced = (await upload(running.app, toneFile())).body.data.id;
    storeQueue(announced, 'periodic_announce_sound_id');
    expect(await running.asAdmin('DELETE', `/sound-files/${announced}`)).toMatchObject({ status: 409 });
    expect(await running.asAdmin('PATCH', `/sound-files/${announced}`, { category: 'moh' })).toMatchObject({
      status: 200,
    });
  });

  test('20.7, 24.1: a sound says who uses it; one without audio is warned of where it is used', async () => {
    const { id } = (await running.asAdmin('POST', '/sound-files', { name: 'Greeting' })).body.data;
    const route = { rulename: 'Office', number: '4930111', extension: 'hangup', audio_message_id: id };
    const { status, body } = await running.asAdmin('POST', '/incoming-routes', route);
    expect({ status, warnings: body.messages.warning }).toEqual({
      status: 201,
      warnings: ['audio_message_id: sound file "Greeting" has no audio yet'],
    });
    const user = { kind: 'incoming-routes', id: body.data.id, name: 'Office', field: 'audio_message_id' };
    expect((await running.asAdmin('GET', `/sound-files/${id}`)).body.data.usedBy).toEqual([user]);
    expect(await running.asAdmin('DELETE', `/sound-files/${id}`)).toMatchObject({
      status: 409,
      body: {
        messages: { error: [`sound file "Greeting" is used by incoming route "Office" (${user.id})`] },
      },
    });
    await upload(running.app, toneFile(), { fields: { id } });
    const again = await running.asAdmin('PATCH', `/incoming-routes/${user.id}`, { note: 'x' });
    expect(again.body.messages.warning).toEqual([]);
  });
});
