import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Nobody listens to two at a time. */
let playing: HTMLAudioElement | undefined;

/**
 * Audio whose address serves for an hour: when it fails, another one is read, once, and goes on where the last one stopped.
 * A list that is read again has new addresses: the one that plays stays.
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
    // What cannot be decoded is the same at any address.
    if (!own || isTried.current || own.error?.code === MediaError.MEDIA_ERR_DECODE) return setFailed(true);
    isTried.current = true;
    const { currentTime } = own;
    const fresh = await read().catch(() => undefined);
    if (!fresh) return setFailed(true);
    flushSync(() => setUrls(fresh));
    // Also when the address was not to blame, and is the same.
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
