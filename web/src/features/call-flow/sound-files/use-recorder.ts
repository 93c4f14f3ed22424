import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { waveOf } from './decode-sound.ts';

type State = 'ready' | 'asking' | 'recording' | 'converting' | 'recorded';

/** Less than the exchange's 1800 s: a timer fires late, and the last piece arrives after it. */
const LONGEST_S = 1790;

/** Records the microphone as a wave file. The microphone is released as soon as recording ends. */
export function useRecorder() {
  const { t } = useTranslation();
  const [state, setState] = useState<State>('ready');
  const [seconds, setSeconds] = useState(0);
  const [wave, setWave] = useState<Blob>();
  const [problem, setProblem] = useState<string>();
  const recorder = useRef<MediaRecorder>(undefined);
  const playing = useRef<AudioContext>(undefined);
  const isLeft = useRef(false);

  const stop = useCallback(() => {
    if (recorder.current?.state === 'recording') recorder.current.stop();
  }, []);
  const silence = useCallback(() => playing.current?.close().catch(() => {}), []);

  // Nothing continues behind a closed dialog.
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      stop();
      void silence();
    };
  }, [stop, silence]);

  async function start(): Promise<void> {
    setProblem(undefined);
    // Browsers provide it for https and for this computer only.
    if (!navigator.mediaDevices) return setProblem(t('sound-files.needsHttps'));
    setState('asking');
    // Otherwise playback of the previous recording would be recorded.
    void silence();
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      // The dialog may have closed before the browser's permission prompt.
      if (isLeft.current) release(stream);
      else record(stream);
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
      release(stream);
      setState('converting');
      try {
        setWave(await waveOf(new Blob(pieces)));
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

  /** Through the Web Audio API: the content policy lets elements play only what comes from the exchange. */
  async function listen(): Promise<void> {
    if (!wave) return;
    await silence();
    const context = new AudioContext();
    playing.current = context;
    const source = context.createBufferSource();
    source.buffer = await context.decodeAudioData(await wave.arrayBuffer());
    source.connect(context.destination);
    source.start();
  }

  return { state, seconds, wave, problem, tell: setProblem, start, stop, listen };
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
