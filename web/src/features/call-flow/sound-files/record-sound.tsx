import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../../api/errors.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { useFocusBack } from '../../../ui/focus.ts';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { Status } from '../../../ui/status.tsx';
import { clockTime } from '../../../ui/time.tsx';
import { SendingSound } from './sending-sound.tsx';
import { useRecorder } from './use-recorder.ts';

interface RecordSoundProps {
  /** For a new sound, which needs a name. */
  readonly withName: boolean;
  readonly send: (name: string, wave: Blob, onProgress: (part: number) => void) => Promise<void>;
}

/** A dialog to record a sound with this computer's microphone. */
export function RecordSound(props: RecordSoundProps) {
  const { t } = useTranslation();
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t('sound-files.record')}
      </Button>
      {opened && <Recorder {...props} onClose={dialog.close} />}
    </>
  );
}

function Recorder({ withName, send, onClose }: RecordSoundProps & { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [asking, setAsking] = useState(false);
  useFocusBack();
  const { state, seconds, wave, problem, tell, start, stop, listen } = useRecorder();
  /** The sent part of it, during sending. */
  const [part, setPart] = useState<number>();
  const isSending = part !== undefined;
  const title = name.trim() || t('sound-files.recordedName');

  /** There is no other copy: the dialog closes only when the exchange has it. */
  async function use(recorded: Blob) {
    tell(undefined);
    setPart(0);
    try {
      await send(title, recorded, setPart);
      onClose();
    } catch (error) {
      setPart(undefined);
      tell(messageOf(error));
    }
  }

  const hasRecording = Boolean(wave) || state === 'recording' || state === 'converting';

  /** Asks before a recording is lost. */
  function close() {
    if (isSending) return;
    if (hasRecording) setAsking(true);
    else onClose();
  }

  // In a stack, Escape reaches only the top dialog: this one or a question above it.
  return (
    <Modal.Stack>
      <Modal
        opened
        stackId="recorder"
        onClose={close}
        // A click outside easily happens by accident.
        closeOnClickOutside={false}
        withCloseButton={!isSending}
        title={t('sound-files.recordTitle')}
        closeButtonProps={{ 'aria-label': t('ui.close') }}
      >
        <Stack>
          <Text size="sm">{t('sound-files.recordHint')}</Text>
          <Group justify="space-between">
            <div role="status">
              <Status
                tone={state === 'recording' ? 'bad' : state === 'recorded' ? 'good' : 'off'}
                label={t(`sound-files.recorder.${state}`)}
              />
            </div>
            <Text className="digits">{clockTime(seconds)}</Text>
          </Group>
          {problem && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {problem}
            </Text>
          )}
          {withName && wave && (
            <TextInput
              label={t('sound-files.field.name')}
              placeholder={t('sound-files.recordedName')}
              maxLength={200}
              value={name}
              readOnly={isSending}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
          {isSending ? (
            <SendingSound name={title} part={part} />
          ) : (
            <Group>
              {state === 'recording' ? (
                <Button color="red.9" onClick={stop}>
                  {t('sound-files.stop')}
                </Button>
              ) : (
                <Button
                  variant={wave ? 'default' : 'filled'}
                  loading={state === 'asking'}
                  onClick={() => void start()}
                >
                  {t(wave ? 'sound-files.again' : 'sound-files.begin')}
                </Button>
              )}
              {wave && state === 'recorded' && (
                <>
                  <Button variant="default" onClick={() => void listen()}>
                    {t('sound-files.listen')}
                  </Button>
                  <Button onClick={() => void use(wave)}>{t('sound-files.use')}</Button>
                </>
              )}
            </Group>
          )}
        </Stack>
        <LeaveGuard
          isNeeded={() => hasRecording}
          title={t('sound-files.discardTitle')}
          text={t('sound-files.discardHint')}
        />
        <Confirm
          opened={asking}
          onClose={() => setAsking(false)}
          title={t('sound-files.discardTitle')}
          action={t('sound-files.discard')}
          onConfirm={async () => onClose()}
        >
          <Text size="sm">{t('sound-files.discardHint')}</Text>
        </Confirm>
      </Modal>
    </Modal.Stack>
  );
}
