import { Button, FileButton, Group, Progress, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayFailed } from '../../../ui/undo.tsx';
import { flowChanged } from '../parts/flow-changed.ts';
import { asWave } from './decode-sound.ts';
import { RecordSound } from './record-sound.tsx';
import { type Category, nameOfFile, type Sound, sendSound } from './sound.ts';

interface SoundUploadProps {
  /** Gets new audio; absent for a new sound. */
  readonly id?: string;
  readonly category: Category;
  readonly onDone: (sound: Sound) => void;
}

/** Audio from a file or from the microphone. What the exchange does not read itself, the browser converts. */
export function SoundUpload({ id, category, onDone }: SoundUploadProps) {
  const { t } = useTranslation();
  const reset = useRef<() => void>(null);
  const [sending, setSending] = useState<{ readonly name: string; readonly part: number }>();

  async function send(name: string, wave: () => Promise<Blob>): Promise<void> {
    setSending({ name, part: 0 });
    try {
      const wanted = id === undefined ? { name, category } : { id };
      const sound = await sendSound(await wave(), wanted, (part) => setSending({ name, part }));
      await flowChanged();
      onDone(sound);
    } catch (error) {
      sayFailed(error);
    } finally {
      setSending(undefined);
      reset.current?.();
    }
  }

  if (sending)
    return (
      <Group gap="xs" miw={220} role="status">
        <Text size="sm" lineClamp={1} maw={260}>
          {t(sending.part < 1 ? 'sound-files.sending' : 'sound-files.converting', { name: sending.name })}
        </Text>
        <Progress
          w={120}
          value={sending.part * 100}
          animated={sending.part === 1}
          aria-label={t('sound-files.progress')}
        />
      </Group>
    );
  return (
    <Group gap="xs">
      <FileButton
        resetRef={reset}
        accept="audio/*,.wav,.mp3,.ogg,.m4a,.flac"
        onChange={(file) => file && void send(nameOfFile(file.name), () => asWave(file))}
      >
        {(props) => (
          <Button {...props} variant={id === undefined ? 'filled' : 'default'}>
            {t(id === undefined ? 'sound-files.upload' : 'sound-files.replace')}
          </Button>
        )}
      </FileButton>
      <RecordSound
        withName={id === undefined}
        onRecorded={(name, wave) => void send(name, async () => wave)}
      />
    </Group>
  );
}
