import { join } from 'node:path';
import { HOLD_TONE_NAME } from '../../../lib/hold-tone.ts';
import { type DesiredCallFlow, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import type { DesiredState } from '../../desired-state.ts';
import type { Site } from '../site.ts';
import { configSection, dialplanText } from './encode.ts';

type Sounds = Pick<DesiredCallFlow, 'sounds'>;

/** The class for held callers, and for queues without music of their own. */
const DEFAULT_CLASS = 'default';

const soundOf = ({ sounds }: Sounds, id: string) => sounds.find((sound) => sound.id === id);

/**
 * The argument for Playback and Background; `''` = nothing. The engine chooses the extension by what the phone takes.
 */
export function soundFile(callFlow: Sounds, id: string): string {
  const sound = id === '' ? undefined : soundOf(callFlow, id);
  return sound ? dialplanText(sound.file) : '';
}

/** The class that plays only this sound (contract 24.9); without audio, the default class. */
export const musicClass = (callFlow: Sounds, id: string): string =>
  id !== '' && soundOf(callFlow, id) ? `moh-${id}` : DEFAULT_CLASS;

/** Music for callers who are held or wait (contract 24.8). */
export function renderMusic(
  { callFlow = PLAIN_CALL_FLOW }: DesiredState,
  site: Site,
): ReadonlyMap<string, string> {
  const music = callFlow.sounds
    .filter(({ category }) => category === 'moh')
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ file }) => file);
  const ofQueues = new Set(callFlow.queues.map(({ musicSoundId }) => musicSoundId));
  const own = callFlow.sounds.filter(({ id }) => ofQueues.has(id));
  return new Map([
    [
      'musiconhold.conf',
      [
        renderClass(DEFAULT_CLASS, music.length > 0 ? music : [join(site.soundsDir, HOLD_TONE_NAME)]),
        ...own.map(({ id, file }) => renderClass(musicClass(callFlow, id), [file])),
      ].join(''),
    ],
  ]);
}

const renderClass = (name: string, files: readonly string[]): string =>
  configSection(name, [['mode', 'playlist'], ...files.map((file) => ['entry', file] as const)]);
