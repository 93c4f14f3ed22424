import { Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api, session } from '../../../api/api.ts';
import { useExchangeZone } from '../../../api/use-exchange-zone.ts';
import { download } from '../../../ui/download.ts';
import { Moment } from '../../../ui/time.tsx';
import { say, sayFailed } from '../../../ui/undo.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { RecordScreen } from '../parts/record-screen.tsx';
import { Users } from '../parts/users.tsx';
import { type Sound, sendSound } from './sound.ts';
import { SoundForm } from './sound-form.tsx';
import { SoundPlayer } from './sound-player.tsx';
import { SoundUpload } from './sound-upload.tsx';

export function SoundScreen() {
  const { t } = useTranslation();
  return (
    <RecordScreen
      resource="sound-files"
      list="/sounds"
      titles={{ one: t('sound-files.one'), new: t('sound-files.one') }}
      read={api.soundFiles}
      nameOf={({ name }) => name}
      form={(sound, isNew) => (
        <Stack>
          {!isNew && <Audio sound={sound} />}
          <SoundForm sound={sound} isNew={isNew} />
        </Stack>
      )}
      actions={(sound, onLeaving) => <Delete sound={sound} onLeaving={onLeaving} />}
    />
  );
}

function Audio({ sound }: { readonly sound: Sound }) {
  const { t } = useTranslation();
  const { id, category, uploadedAt, download_url, usedBy } = sound;
  const { data: zone } = useExchangeZone();
  return (
    <Fieldset legend={t('sound-files.audio')}>
      <Stack>
        <SoundPlayer sound={sound} />
        {uploadedAt && zone && (
          <Text size="sm" c="dimmed">
            {t('sound-files.uploadedAt')} <Moment at={uploadedAt} zone={zone} /> ({zone})
          </Text>
        )}
        <Group gap="xs">
          <SoundUpload
            id={id}
            category={category}
            onDone={({ name }) => say(t('sound-files.stored', { name }))}
          />
          {download_url && (
            <Button variant="default" onClick={() => void save(sound).catch(sayFailed)}>
              {t('sound-files.download')}
            </Button>
          )}
        </Group>
        {usedBy.length > 0 ? (
          <div>
            <Text size="sm" mb={4}>
              {t('sound-files.usedBy')}
            </Text>
            <Users users={usedBy} />
          </div>
        ) : (
          <Text size="sm" c="dimmed">
            {t('sound-files.unused')}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}

async function original({ download_url }: Sound): Promise<Blob | undefined> {
  if (download_url === null) return undefined;
  const response = await session.fetch(download_url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.blob();
}

/** The URL requires the session's credential, which a plain link would not send. */
async function save(sound: Sound): Promise<void> {
  const wave = await original(sound);
  if (wave) download(`${sound.name}.wav`, wave);
}

interface DeleteProps {
  readonly sound: Sound;
  readonly onLeaving: (isLeaving: boolean) => void;
}

function Delete({ sound, onLeaving }: DeleteProps) {
  const { id, name, description, category, normalize } = sound;
  return (
    <DeleteButton
      name={name}
      list="/sounds"
      users={async () => (await api.soundFiles.getRecord(id)).data.usedBy}
      remove={async () => {
        const wave = await original(sound);
        return { ...(await api.soundFiles.delete(id)), wave };
      }}
      restore={async ({ wave }) => {
        const made = await api.soundFiles.create({ name, description, category, normalize });
        if (!wave) return made;
        await sendSound(wave, { id: made.data.id }, () => {});
        // The warning that it has no audio is outdated.
        return { messages: { warning: [] } };
      }}
      onLeaving={onLeaving}
    />
  );
}
