import { ApiError, type Envelope } from '@pbxcore/client';
import { type api, session } from '../../../api/api.ts';
import { sendWithProgress } from '../../../api/send-with-progress.ts';

export type Sound = Awaited<ReturnType<typeof api.soundFiles.getRecord>>['data'];

export const CATEGORIES = ['custom', 'moh'] as const;
export type Category = (typeof CATEGORIES)[number];

interface Wanted {
  /** The sound that gets new audio. */
  readonly id?: string;
  readonly name?: string;
  readonly category?: Category;
}

/** Sends raw bytes: the generated client sends JSON only. */
export async function sendSound(
  wave: Blob,
  wanted: Wanted,
  onProgress: (part: number) => void,
): Promise<Sound> {
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ''));
  const response = await session.fetch(
    `/pbxcore/api/v3/sound-files:uploadFile?${query}`,
    { method: 'POST', headers: { 'content-type': 'audio/wav' }, body: wave },
    sendWithProgress(onProgress),
  );
  const answer = (await response.json()) as Envelope<Sound>;
  if (!response.ok) throw new ApiError(response.status, answer.messages);
  return answer.data;
}

/** The file name without extension, as a first name for the sound. */
export const nameOfFile = (file: string): string => file.replace(/\.[^.]*$/, '').slice(0, 200);
