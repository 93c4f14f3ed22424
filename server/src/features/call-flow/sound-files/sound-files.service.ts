import { writeFile } from 'node:fs/promises';
import type { IncomingContent } from '../../../http/body.ts';
import type { Clock } from '../../../lib/clock.ts';
import { NotFound } from '../../../lib/errors.ts';
import type { FlowService } from '../records/flow-service.ts';
import { ATTENTION_TONE, melodyFile } from './audio/tones.ts';
import { shownDiskFailure } from './disk-full.ts';
import { audioOf, type SoundRecord, type SoundValues } from './sound.ts';
import type { SoundFolder, StoredAudio, Upload } from './sound-folder.ts';
import { type ReceivedSound, receiveSound } from './sound-uploads.ts';

interface ServiceParts {
  readonly service: FlowService<SoundValues>;
  readonly folder: SoundFolder;
  readonly clock: Clock;
  /** Called after files became unused. */
  readonly sweep: () => void;
}

type AudioFacts = Pick<SoundValues, 'isNormalized' | 'fileSize' | 'seconds' | 'uploadedAt'>;

/** What is sent with an upload, checked. */
export interface SoundWishes {
  readonly id?: string | undefined;
  readonly values: Partial<SoundValues>;
}

/** Sounds and their files: records refer only to files that exist (contract 24). */
export function createSounds({ service, folder, clock, sweep }: ServiceParts) {
  /** A failure leaves nothing behind. */
  async function uploading<T>(work: (upload: Upload) => Promise<T>): Promise<T> {
    let upload: Upload | undefined;
    try {
      upload = await folder.begin();
      return await work(upload);
    } catch (error) {
      throw shownDiskFailure(error);
    } finally {
      if (upload) await folder.drop(upload);
    }
  }

  /** Stores the files first, then the record that refers to them; the files used before stay a day (contract 24.6). */
  async function keep(
    upload: Upload,
    id: string,
    facts: AudioFacts,
    sent: Partial<SoundValues> = {},
    isWanted: (values: SoundValues) => boolean = () => true,
  ): Promise<SoundRecord> {
    const reserved = await service.changeValues(id, (values) => ({
      ...values,
      lastRevision: (values.lastRevision ?? 0) + 1,
    }));
    const revision = reserved.values.lastRevision as number;
    await folder.keep(upload, { id, revision });
    const { record } = await service.changeFields(id, (values) =>
      // A later upload may be stored already.
      revision > (values.revision ?? 0) && isWanted(values)
        ? { ...values, ...sent, ...facts, isAttentionTone: false, revision }
        : { ...values, ...sent },
    );
    sweep();
    return record;
  }

  async function convert(
    upload: Upload,
    { size }: ReceivedSound,
    normalize: boolean,
    signal: AbortSignal,
  ): Promise<AudioFacts> {
    const { seconds } = await folder.convert(upload, normalize, signal);
    return {
      isNormalized: normalize,
      fileSize: size,
      seconds: Math.round(seconds * 1000) / 1000,
      uploadedAt: clock.now(),
    };
  }

  async function createWith(values: SoundValues, upload: Upload, facts: AudioFacts): Promise<SoundRecord> {
    const { record } = await service.create(values);
    try {
      return await keep(upload, record.id, facts);
    } catch (error) {
      await service.delete(record.id).catch(() => {});
      throw error;
    }
  }

  /** The tone provided by the service is made when it is first needed. */
  async function provideAttentionTone(audio: StoredAudio, signal: AbortSignal): Promise<void> {
    await uploading(async (upload) => {
      await writeFile(upload.file, melodyFile(ATTENTION_TONE));
      await folder.convert(upload, false, signal);
      await folder.keep(upload, audio);
    });
  }

  /** The converted sound, or the file as it was sent. */
  async function findFile(record: SoundRecord, ending: 'wav' | 'original', signal: AbortSignal) {
    const audio = audioOf(record);
    if (!audio) throw new NotFound('the sound has no audio');
    const found = await folder.find(audio, ending);
    if (found) return found;
    if (record.values.isAttentionTone) await provideAttentionTone(audio, signal);
    const made = await folder.find(audio, ending);
    if (!made) throw new NotFound('the audio of this sound is gone');
    return made;
  }

  /** Stores a change, with new files if loudness is now to be evened, or no longer (contract 24.4). */
  async function change<T>(
    record: SoundRecord,
    normalize: boolean | undefined,
    signal: AbortSignal,
    store: () => Promise<T>,
  ): Promise<T> {
    const audio = audioOf(record);
    if (!audio || normalize === undefined || normalize === record.values.isNormalized) return store();
    await findFile(record, 'original', signal);
    const { result, kept } = await uploading(async (upload) => {
      await folder.takeOriginal(audio, upload);
      const { seconds } = await folder.convert(upload, normalize, signal);
      const result = await store();
      const facts = { isNormalized: normalize, seconds };
      // An upload in the meantime is newer than the original used here.
      const isWanted = (values: SoundValues) =>
        values.revision === audio.revision && values.normalize === normalize;
      return { result, kept: await keep(upload, record.id, facts, {}, isWanted) };
    });
    const isLeft = kept.values.normalize === normalize && kept.values.isNormalized !== normalize;
    return isLeft ? change(kept, normalize, signal, async () => result) : result;
  }

  return {
    /** Reads and converts the whole upload before anything is stored (contract 24.5). */
    upload: (
      content: IncomingContent,
      wishesOf: (received: ReceivedSound) => SoundWishes,
      signal: AbortSignal,
    ): Promise<{ readonly record: SoundRecord; readonly isNew: boolean }> =>
      uploading(async (upload) => {
        const received = await receiveSound(content, upload);
        const { id, values } = wishesOf(received);
        const before = id === undefined ? undefined : await service.find(id);
        const normalize = values.normalize ?? before?.values.normalize ?? true;
        const facts = await convert(upload, received, normalize, signal);
        if (!before) {
          const defaults = { name: '', description: '', category: 'custom', normalize } as const;
          return { record: await createWith({ ...defaults, ...values }, upload, facts), isNew: true };
        }
        return { record: await keep(upload, before.id, facts, values), isNew: false };
      }),

    change,
    find: findFile,
  };
}

export type Sounds = ReturnType<typeof createSounds>;
