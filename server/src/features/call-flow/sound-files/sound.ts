import type { DesiredSound } from '../../../engine/desired-call-flow.ts';
import { API_ROOT } from '../../../http/route.ts';
import { type FlowRecord, soundHasAudio, type User } from '../../../lib/flow-record.ts';
import type { StoredAudio } from './sound-folder.ts';

/** What is stored of a sound: its fields, and facts about its audio, which are there once it has some. */
export type SoundValues = {
  readonly name: string;
  readonly description: string;
  readonly category: 'custom' | 'moh';
  readonly normalize: boolean;
  /** Of the files that are heard now. */
  readonly revision?: number;
  /** The last one that was given to anybody: two uploads at once never write the same files. */
  readonly lastRevision?: number;
  /** How the files were made. */
  readonly isNormalized?: boolean;
  /** Of the original, in bytes. */
  readonly fileSize?: number;
  readonly seconds?: number;
  /** Milliseconds of the epoch. */
  readonly uploadedAt?: number;
  /** Made by the service itself; its files appear when they are needed. */
  readonly isAttentionTone?: boolean;
};

export type SoundRecord = FlowRecord<SoundValues>;

export const audioOf = (record: SoundRecord): StoredAudio | undefined =>
  soundHasAudio(record) ? { id: record.id, revision: record.values.revision as number } : undefined;

interface Shown {
  /** Without a token nobody can play it by its address. */
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

/** For a list to choose from. */
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

/** It names no file: nothing that is asked for by it exists. */
const pathOf = (record: SoundRecord): string => (soundHasAudio(record) ? `sound-files/${record.id}` : '');

function durationOf(seconds: number): string {
  const whole = Math.round(seconds);
  return [Math.floor(whole / 60), whole % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
