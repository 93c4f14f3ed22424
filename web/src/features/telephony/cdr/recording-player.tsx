import { ActionIcon, Anchor, Button, Group, NativeSelect, Text } from '@mantine/core';
import type { CallLeg } from '@pbxcore/client';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useRenewedAudio } from '../../../ui/renewed-audio.ts';
import { clockTime } from '../../../ui/time.tsx';
import classes from './cdr.module.css';
import { PlayIcon } from './icons.tsx';

const SPEEDS = ['0.75', '1', '1.25', '1.5', '2'];

const urlsOf = ({ playback_url: play, download_url: download }: CallLeg) => ({ play, download });

/** Plays the recording of a leg. The service supports ranges: a late position loads without all before it. */
export function RecordingPlayer({ leg }: { readonly leg: CallLeg }) {
  const { t } = useTranslation();
  const { audio, urls, failed, handlers } = useRenewedAudio(urlsOf(leg), async () => {
    const { data } = await api.cdr.getRecord(leg.linkedid);
    const fresh = 'records' in data ? data.records.find(({ id }) => id === leg.id) : undefined;
    return fresh && fresh.playback_url !== '' ? urlsOf(fresh) : undefined;
  });
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const slider = useRef<HTMLInputElement>(null);
  const isDragged = useRef(false);
  const [length, setLength] = useState(leg.billsec || leg.duration);
  const seek = (seconds: number) => {
    if (audio.current) audio.current.currentTime = Math.min(Math.max(0, seconds), length);
  };
  const step = (seconds: number) => seek((audio.current?.currentTime ?? 0) + seconds);

  /** The thumb stays where a finger holds it. */
  function showPlace(seconds: number) {
    setAt(seconds);
    if (slider.current && !isDragged.current) slider.current.value = String(seconds);
  }

  async function toggle() {
    const own = audio.current;
    if (!own) return;
    if (!own.paused) return own.pause();
    // The element itself reports a failure.
    await own.play().catch(() => {});
  }

  return (
    <Group
      gap="xs"
      mt={4}
      role="group"
      aria-label={t('cdr.player.label', { number: leg.dst_num.slice(0, 40) })}
    >
      <audio
        ref={audio}
        src={urls.play}
        preload="metadata"
        {...handlers}
        onPlay={() => {
          handlers.onPlay();
          setPlaying(true);
        }}
        onPause={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) => showPlace(currentTarget.currentTime)}
        onSeeked={({ currentTarget }) => showPlace(currentTarget.currentTime)}
        onDurationChange={({ currentTarget: { duration } }) => {
          if (Number.isFinite(duration)) setLength(duration);
        }}
      />
      <ActionIcon
        variant="filled"
        radius="xl"
        aria-label={t(isPlaying ? 'cdr.player.pause' : 'cdr.player.play')}
        onClick={() => void toggle()}
      >
        <PlayIcon playing={isPlaying} />
      </ActionIcon>
      <Button variant="default" size="compact-xs" onClick={() => step(-10)} aria-label={t('cdr.player.back')}>
        −10 s
      </Button>
      <input
        ref={slider}
        type="range"
        className={classes.seek}
        min={0}
        max={length || 1}
        step={0.1}
        defaultValue={0}
        aria-label={t('cdr.player.place')}
        aria-valuetext={clockTime(at)}
        onPointerDown={() => {
          isDragged.current = true;
        }}
        onPointerUp={() => {
          isDragged.current = false;
        }}
        onInput={({ currentTarget }) => seek(Number(currentTarget.value))}
      />
      <Button variant="default" size="compact-xs" onClick={() => step(10)} aria-label={t('cdr.player.on')}>
        +10 s
      </Button>
      <Text size="sm" className="digits">
        {clockTime(at)} / {clockTime(length)}
      </Text>
      <NativeSelect
        size="xs"
        aria-label={t('cdr.player.speed')}
        data={SPEEDS.map((value) => ({ value, label: `${value}×` }))}
        defaultValue="1"
        onChange={({ currentTarget }) => {
          const own = audio.current;
          if (!own) return;
          own.playbackRate = Number(currentTarget.value);
          // A renewed URL starts with this rate.
          own.defaultPlaybackRate = own.playbackRate;
        }}
      />
      <Anchor href={urls.download} size="sm" download>
        {t('cdr.player.download')}
      </Anchor>
      {failed && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t('cdr.player.failed')}
        </Text>
      )}
    </Group>
  );
}
