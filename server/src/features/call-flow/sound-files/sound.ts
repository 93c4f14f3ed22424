import type { DesiredSound } from '../../../engine/desired-call-flow.ts';
import { API_ROOT } from '../../../http/route.ts';
import { type FlowRecord, soundHasAudio, type User } from '../../../lib/flow-record.ts';
import type { StoredAudio } from './sound-folder.ts';

/** A sound as stored: its fields, and facts about its audio once it has some. */
export type SoundValues = {
  readonly name: string;
  readonly description: string;
  readonly category: 'custom' | 'moh';
  readonly normalize: boolean;
  /** Revision of the files in use. */
  readonly revision?: number;
  /** The last revision assigned, so that two concurrent uploads never write the same files. */
  readonly lastRevision?: number;
  /** Whether the files were made with `normalize`. */
  readonly isNormalized?: boolean;
  /** Size of the original in bytes. */
  readonly fileSize?: number;
  readonly seconds?: number;
  /** Milliseconds since the epoch. */
  readonly uploadedAt?: number;
  /** Made by the service itself; its files are created when first needed. */
  readonly isAttentionTone?: boolean;
};

export type SoundRecord = FlowRecord<SoundValues>;

export const audioOf = (record: SoundRecord): StoredAudio | undefined =>
  soundHasAudio(record) ? { id: record.id, revision: record.values.revision as number } : undefined;

interface Shown {
  /** Nobody can play the sound by its URL without a token. */
  readonly token: string;
  readonly users: readonly User[];
}

export function showSound(record: SoundRecord, { token, users }: Shown) {
  const { id, values } = record;
  const { name, description, category, normalize, fileSize = 0, seconds = 0, uploadedAt } = values;
  const hasAudio = soundHasAudio(record);
  return {
    id,
    name,
    description,
    category,
    normalize,
    path: pathOf(record),
    fileSize,
    duration: durationOf(seconds),
    seconds,
    playback_url: hasAudio ? `${API_ROOT}/sound-files:playback?token=${token}` : null,
    download_url: hasAudio ? `${API_ROOT}/sound-files/${id}:download` : null,
    uploadedAt: uploadedAt === undefined ? null : new Date(uploadedAt).toISOString(),
    usedBy: users.map((user) => ({ kind: user.kind, id: user.id, name: user.name, field: user.field })),
  };
}

/** As one choice of a list. */
export const showChoice = (record: SoundRecord) => ({
  value: record.id,
  text: record.name,
  name: record.name,
  id: record.id,
  category: record.values.category,
  path: pathOf(record),
  represent: record.name,
});

export function desiredSound(
  record: SoundRecord,
  pathOfAudio: (audio: StoredAudio) => string,
): DesiredSound[] {
  const audio = audioOf(record);
  if (!audio) return [];
  const { category, seconds = 0 } = record.values;
  return [{ id: record.id, name: record.name, category, file: pathOfAudio(audio), seconds }];
}

/** Not the name of a file: nothing can be requested by it. */
const pathOf = (record: SoundRecord): string => (soundHasAudio(record) ? `sound-files/${record.id}` : '');

function durationOf(seconds: number): string {
  const whole = Math.round(seconds);
  return [Math.floor(whole / 60), whole % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
