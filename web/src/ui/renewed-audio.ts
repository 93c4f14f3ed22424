import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Only one recording plays at a time. */
let playing: HTMLAudioElement | undefined;

/**
 * Audio with a URL that is valid for an hour: when it fails, a new one is fetched, once, and playback continues where
 * it stopped. A refetched list has new URLs: the one being played stays.
 */
export function useRenewedAudio<Urls extends { readonly play: string }>(
  first: Urls,
  read: () => Promise<Urls | undefined>,
) {
  const audio = useRef<HTMLAudioElement>(null);
  const [urls, setUrls] = useState(first);
  const [failed, setFailed] = useState(false);
  const isTried = useRef(false);

  async function renew(): Promise<void> {
    const own = audio.current;
    // Undecodable audio is the same at any URL.
    if (!own || isTried.current || own.error?.code === MediaError.MEDIA_ERR_DECODE) return setFailed(true);
    isTried.current = true;
    const { currentTime } = own;
    const fresh = await read().catch(() => undefined);
    if (!fresh) return setFailed(true);
    flushSync(() => setUrls(fresh));
    // Also if the URL was not the cause, and is unchanged.
    own.load();
    own.currentTime = currentTime;
    if (playing === own) void own.play().catch(() => {});
  }

  return {
    audio,
    urls,
    failed,
    handlers: {
      onPlay() {
        if (playing !== audio.current) playing?.pause();
        playing = audio.current ?? undefined;
      },
      onLoadedMetadata() {
        isTried.current = false;
      },
      onError: () => void renew(),
    },
  };
}
