import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { waveOf } from './decode-sound.ts';

type State = 'ready' | 'asking' | 'recording' | 'converting' | 'recorded';

/** The exchange takes no longer ones. */
const LONGEST_S = 1800;

/** Records the microphone, and makes a wave file of it. The microphone is let go as soon as nothing is recorded. */
export function useRecorder() {
  const { t } = useTranslation();
  const [state, setState] = useState<State>('ready');
  const [seconds, setSeconds] = useState(0);
  const [wave, setWave] = useState<Blob>();
  const [problem, setProblem] = useState<string>();
  const recorder = useRef<MediaRecorder>(undefined);
  const playing = useRef<AudioContext>(undefined);

  const stop = useCallback(() => {
    if (recorder.current?.state === 'recording') recorder.current.stop();
  }, []);

  /** Nothing goes on behind a closed dialog. */
  const leave = useCallback(() => {
    stop();
    void playing.current?.close().catch(() => {});
  }, [stop]);

  async function start(): Promise<void> {
    setProblem(undefined);
    // Browsers have it for https and for this computer only.
    if (!navigator.mediaDevices) return setProblem(t('sound-files.needsHttps'));
    setState('asking');
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      record(stream);
    } catch {
      setState(wave ? 'recorded' : 'ready');
      setProblem(t('sound-files.noMicrophone'));
    }
  }

  function record(stream: MediaStream): void {
    const began = performance.now();
    const pieces: Blob[] = [];
    const own = new MediaRecorder(stream);
    const counting = setInterval(() => {
      const passed = (performance.now() - began) / 1000;
      setSeconds(passed);
      if (passed >= LONGEST_S) own.stop();
    }, 250);
    own.ondataavailable = ({ data }) => pieces.push(data);
    own.onstop = async () => {
      clearInterval(counting);
      for (const track of stream.getTracks()) track.stop();
      setState('converting');
      try {
        setWave(await waveOf(await new Blob(pieces).arrayBuffer()));
        setState('recorded');
      } catch (error) {
        setState('ready');
        setProblem(error instanceof Error ? error.message : String(error));
      }
    };
    recorder.current = own;
    own.start();
    setSeconds(0);
    setState('recording');
  }

  /** By the sound card itself: the content policy lets no element play what does not come from the exchange. */
  async function listen(): Promise<void> {
    if (!wave) return;
    await playing.current?.close().catch(() => {});
    const context = new AudioContext();
    playing.current = context;
    const source = context.createBufferSource();
    source.buffer = await context.decodeAudioData(await wave.arrayBuffer());
    source.connect(context.destination);
    source.start();
  }

  return { state, seconds, wave, problem, start, stop, listen, leave };
}
