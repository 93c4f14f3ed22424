import type { Directory } from '../../telephony/directory/directory.ts';
import { ATTENTION_TONE, melodyFile } from './audio/tones.ts';
import type { SoundValues } from './sound.ts';

/** Gives a new installation a sound so that menus and rules can be tried at once (contract 29.7); it may be deleted. */
export async function addAttentionTone({ write, records }: Directory): Promise<void> {
  if (records.all('sound-files').length > 0) return;
  await write(async ({ flow }) => {
    if (await flow.hadAny('sound-files')) return;
    const values: SoundValues = {
      name: 'Attention tone',
      description: 'Three notes that come with the service',
      category: 'custom',
      normalize: false,
      revision: 1,
      lastRevision: 1,
      isNormalized: false,
      fileSize: melodyFile(ATTENTION_TONE).length,
      seconds: ATTENTION_TONE.seconds,
      uploadedAt: flow.now,
      isAttentionTone: true,
    };
    const id = await flow.nextId('sound-files');
    const { name } = values;
    await flow.insert({
      kind: 'sound-files',
      id,
      number: '',
      name,
      priority: 0,
      values,
      createdAt: flow.now,
      updatedAt: flow.now,
    });
  });
}
