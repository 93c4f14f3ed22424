import { describe, expect, test } from 'vitest';
import { toneFile, upload } from './sound-rig.ts';
import { useApp } from './use-app.ts';

describe('contract 24.7: sounds in use', () => {
  const running = useApp();

  async function storeQueue(extension: string, fields: object): Promise<string> {
    const queue = { name: 'Support', extension, ...fields };
    return (await running.asAdmin('POST', '/call-queues', queue)).body.data.id;
  }

  test('the music of a queue stays music, and neither it nor an announcement can be deleted', async () => {
    const { id } = (await upload(running.app, toneFile(), { fields: { name: 'Harp', category: 'moh' } })).body
      .data;
    const queue = await storeQueue('600', { caller_hear: 'moh', moh_sound_id: id });
    const used = `is used by queue "Support" (${queue})`;
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
    await storeQueue('601', { periodic_announce_sound_id: announced, periodic_announce_frequency: 30 });
    expect(await running.asAdmin('DELETE', `/sound-files/${announced}`)).toMatchObject({ status: 409 });
    expect(await running.asAdmin('PATCH', `/sound-files/${announced}`, { category: 'moh' })).toMatchObject({
      status: 200,
    });
  });

  test('20.7, 24.1: a sound lists what uses it; using one without audio gives a warning', async () => {
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
