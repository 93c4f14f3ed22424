import { Button, FileButton, Group } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayFailed } from '../../../ui/undo.tsx';
import { flowChanged } from '../parts/flow-changed.ts';
import { asWave } from './decode-sound.ts';
import { RecordSound } from './record-sound.tsx';
import { SendingSound } from './sending-sound.tsx';
import { type Category, nameOfFile, type Sound, sendSound } from './sound.ts';

interface SoundUploadProps {
  /** The sound that gets new audio; absent for a new sound. */
  readonly id?: string;
  readonly category: Category;
  readonly onDone: (sound: Sound) => void;
}

/** Audio from a file or from the microphone. The browser converts formats that the exchange does not read. */
export function SoundUpload({ id, category, onDone }: SoundUploadProps) {
  const { t } = useTranslation();
  const reset = useRef<() => void>(null);
  const [sending, setSending] = useState<{ readonly name: string; readonly part: number }>();

  async function send(name: string, wave: Blob, onProgress: (part: number) => void): Promise<void> {
    const sound = await sendSound(wave, id === undefined ? { name, category } : { id }, onProgress);
    await flowChanged();
    onDone(sound);
  }

  async function upload(file: File): Promise<void> {
    const name = nameOfFile(file.name);
    setSending({ name, part: 0 });
    try {
      await send(name, await asWave(file), (part) => setSending({ name, part }));
    } catch (error) {
      sayFailed(error);
    } finally {
      setSending(undefined);
      reset.current?.();
    }
  }

  if (sending) return <SendingSound {...sending} />;
  return (
    <Group gap="xs">
      <FileButton
        resetRef={reset}
        accept="audio/*,.wav,.mp3,.ogg,.m4a,.flac"
        onChange={(file) => file && void upload(file)}
      >
        {(props) => (
          <Button {...props} variant={id === undefined ? 'filled' : 'default'}>
            {t(id === undefined ? 'sound-files.upload' : 'sound-files.replace')}
          </Button>
        )}
      </FileButton>
      <RecordSound withName={id === undefined} send={send} />
    </Group>
  );
}
