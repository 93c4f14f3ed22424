import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DesiredQueue, type DesiredSound, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import type { Site } from '../site.ts';
import { hostile } from './encode.suite.ts';
import { musicClass, renderMusic, soundFile } from './music.ts';
import { parseConfig } from './parse.suite.ts';

const sound = (id: string, category: DesiredSound['category'], name = `Sound ${id}`): DesiredSound => ({
  id,
  name,
  category,
  file: `/data/sounds/${id}-r1`,
  seconds: 10,
});

function classesOf(sounds: readonly DesiredSound[], musicOfQueues: readonly string[] = []) {
  const queues = musicOfQueues.map((musicSoundId) => ({ musicSoundId }) as DesiredQueue);
  const callFlow = { ...PLAIN_CALL_FLOW, sounds, queues };
  const state = { extensions: [], providers: [], refusedSources: [], callFlow };
  const text = renderMusic(state, { soundsDir: '/data/sounds' } as Site).get('musiconhold.conf') ?? '';
  return Object.fromEntries(
    parseConfig(text).map(({ name, settings }) => [
      name,
      settings.map(([key, value]) => (key === 'entry' ? value : `${key}=${value}`)),
    ]),
  );
}

test('contract 24.8: without music, callers on hold hear the tone of the service', () => {
  expect(classesOf([sound('1', 'custom')])).toEqual({ default: ['mode=playlist', '/data/sounds/hold-tone'] });
});

test('contract 24.8: callers on hold hear all music by name, and no other sound', () => {
  const sounds = [sound('1', 'moh', 'Walz'), sound('2', 'custom', 'A'), sound('3', 'moh', 'Fugue')];
  expect(classesOf(sounds)).toEqual({ default: ['mode=playlist', '/data/sounds/3-r1', '/data/sounds/1-r1'] });
});

test('contract 24.9: the music of a queue has its own class, only once and only if it has audio', () => {
  const sounds = [sound('1', 'moh'), sound('2', 'moh')];
  expect(classesOf(sounds, ['2', '', '2', '9'])).toEqual({
    default: ['mode=playlist', '/data/sounds/1-r1', '/data/sounds/2-r1'],
    'moh-2': ['mode=playlist', '/data/sounds/2-r1'],
  });
  expect([musicClass({ sounds }, '2'), musicClass({ sounds }, '9'), musicClass({ sounds }, '')]).toEqual([
    'moh-2',
    'default',
    'default',
  ]);
});

test('a sound is played from its file; a sound without audio has no file', () => {
  const sounds = [sound('7', 'custom')];
  expect([soundFile({ sounds }, '7'), soundFile({ sounds }, '8'), soundFile({ sounds }, '')]).toEqual([
    '/data/sounds/7-r1',
    '',
    '',
  ]);
});

test('no name of a sound gets into the configuration file', () => {
  fc.assert(
    fc.property(hostile, (name) => {
      expect(classesOf([sound('1', 'moh', name)])).toEqual({
        default: ['mode=playlist', '/data/sounds/1-r1'],
      });
    }),
  );
});
