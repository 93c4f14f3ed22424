import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../../api/query-client.ts';
import type { Sound } from './sound.ts';
import classes from './sound-player.module.css';

/** Nobody listens to two at a time. */
let playing: HTMLAudioElement | undefined;

/** The sound as callers hear it. Its address serves for an hour; an old one is asked for anew. */
export function SoundPlayer({
  sound,
}: {
  readonly sound: Pick<Sound, 'name' | 'playback_url' | 'uploadedAt'>;
}) {
  const { t } = useTranslation();
  const { name, playback_url: url, uploadedAt } = sound;
  // A list that is read again has new addresses: the one that plays stays, until there is other audio.
  const [kept, setKept] = useState({ url, uploadedAt });
  if (kept.uploadedAt !== uploadedAt) setKept({ url, uploadedAt });
  if (kept.url === null)
    return (
      <Text size="sm" c="dimmed">
        {t('sound-files.noAudio')}
      </Text>
    );
  return (
    // biome-ignore lint/a11y/useMediaCaption: what is said is known to who uploaded it
    <audio
      className={classes.player}
      controls
      preload="none"
      src={kept.url}
      aria-label={t('sound-files.player', { name })}
      onPlay={({ currentTarget }) => {
        if (playing !== currentTarget) playing?.pause();
        playing = currentTarget;
      }}
      onError={() => {
        void queryClient.invalidateQueries({ queryKey: ['sound-files'] });
        if (url !== kept.url) setKept({ url, uploadedAt });
      }}
    />
  );
}
