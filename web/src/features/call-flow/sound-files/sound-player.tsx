import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useRenewedAudio } from '../../../ui/renewed-audio.ts';
import type { Sound } from './sound.ts';
import classes from './sound-player.module.css';

/** The sound as callers hear it. */
export function SoundPlayer({ sound }: { readonly sound: Sound }) {
  const { t } = useTranslation();
  const { id, name, playback_url: url, uploadedAt } = sound;
  if (url === null)
    return (
      <Text size="sm" c="dimmed">
        {t('sound-files.noAudio')}
      </Text>
    );
  // Mounts a new player for other audio.
  return <Player key={uploadedAt} id={id} name={name} url={url} />;
}

function Player({ id, name, url }: Pick<Sound, 'id' | 'name'> & { readonly url: string }) {
  const { t } = useTranslation();
  const { audio, urls, failed, handlers } = useRenewedAudio({ play: url }, async () => {
    const { playback_url: play } = (await api.soundFiles.getRecord(id)).data;
    return play === null ? undefined : { play };
  });
  return (
    <>
      <audio
        ref={audio}
        className={classes.player}
        controls
        preload="none"
        src={urls.play}
        aria-label={t('sound-files.player', { name })}
        {...handlers}
      />
      {failed && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t('sound-files.cannotPlay')}
        </Text>
      )}
    </>
  );
}
