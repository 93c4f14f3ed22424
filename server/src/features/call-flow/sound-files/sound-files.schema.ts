import Type from 'typebox';
import { answersOf, boolean, described, oneOf, optional, text, withDefault } from '../../../http/fields.ts';
import type { Resource } from '../../../http/route.ts';

export const soundFileResource: Resource = {
  path: '/api/v3/sound-files',
  label: 'Sound Files',
  description: 'What callers hear: announcements and music on hold',
  levels: ['read', 'write'],
};

export const CATEGORIES = ['custom', 'moh'] as const;
const category = described(oneOf(CATEGORIES), 'Announcements, or music on hold');
const name = text({ min: 1, max: 200 });

export const soundFields = {
  name: described(name, 'Name of the sound'),
  description: described(withDefault(text({ max: 500 }), ''), 'Free text for people'),
  category: withDefault(category, 'custom'),
  normalize: described(
    withDefault(boolean, true),
    'Even out the loudness; false: leave the samples unchanged',
  ),
};

/** Fields of an upload, in a form or in a query (contract 24). */
export const uploadFields = {
  id: described(
    optional(text({ max: 9, pattern: { test: /^\d*$/, says: 'must be digits' } })),
    'New audio for this sound; absent: a new sound',
  ),
  name: described(optional(name), 'Default: the name of the file without its extension'),
  description: optional(soundFields.description),
  category: optional(category),
  normalize: optional(boolean),
};

const user = Type.Object({
  kind: Type.String(),
  id: Type.String(),
  name: Type.String(),
  field: Type.String(),
});

const urlOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const SoundFile = Type.Object({
  id: Type.String(),
  ...answersOf(soundFields),
  path: Type.String({ description: 'Empty if there is no audio' }),
  fileSize: Type.Integer({ description: 'Size of the original in bytes' }),
  duration: Type.String({ description: 'MM:SS' }),
  seconds: Type.Number(),
  playback_url: urlOrNull('URL of the audio, valid for an hour without a credential'),
  download_url: urlOrNull('URL of the original audio'),
  uploadedAt: urlOrNull('ISO 8601'),
  usedBy: Type.Array(user),
});

export const UploadedSound = Type.Object({ ...SoundFile.properties, sound_file_id: Type.String() });

const choice = Type.String();
export const SoundChoice = Type.Object({
  value: choice,
  text: choice,
  name: choice,
  id: choice,
  category: choice,
  path: choice,
  represent: choice,
});
