import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingContent } from '../../../http/body.ts';
import { readForm } from '../../../http/multipart.ts';
import { BodyTooLarge, InvalidFields, MalformedBody } from '../../../lib/errors.ts';
import type { Upload } from './sound-folder.ts';

const MAX_SOUND_BYTES = 50 * 1024 * 1024;
/** Including what a form needs besides the file. */
export const MAX_UPLOAD_BYTES = MAX_SOUND_BYTES + 64 * 1024;
const MAX_FIELD_BYTES = 4096;

export interface ReceivedSound {
  /** Fields sent besides the file, by name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Name given by the sender; `''` = none. */
  readonly fileName: string;
  readonly size: number;
}

/** Writes an upload to the disk as it arrives: no sound is ever held in memory whole. */
export async function receiveSound(content: IncomingContent, upload: Upload): Promise<ReceivedSound> {
  const file = await open(upload.file, 'wx', 0o640);
  try {
    return content.type === 'multipart/form-data'
      ? await receiveForm(content, file)
      : { fields: {}, fileName: '', size: await receiveBytes(content.chunks, file) };
  } finally {
    await file.close();
  }
}

async function receiveBytes(chunks: AsyncIterable<Buffer>, file: FileHandle): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) size = await append(file, chunk, size);
  return size;
}

async function receiveForm({ chunks, boundary }: IncomingContent, file: FileHandle): Promise<ReceivedSound> {
  const fields = new Map<string, Buffer>();
  let fileName: string | undefined;
  let size = 0;
  let current = '';
  for await (const event of readForm(chunks, boundary)) {
    if (event.type === 'part') {
      current = event.name;
      if (current !== 'file') fields.set(current, Buffer.alloc(0));
      else if (fileName !== undefined) throw new InvalidFields('file: more than one', ['file']);
      else fileName = event.fileName ?? '';
    } else if (current === 'file') size = await append(file, event.bytes, size);
    else {
      const known = Buffer.concat([fields.get(current) ?? Buffer.alloc(0), event.bytes]);
      if (known.length > MAX_FIELD_BYTES) throw new MalformedBody('the form has a field that is too long');
      fields.set(current, known);
    }
  }
  if (fileName === undefined) throw new InvalidFields('file: required', ['file']);
  const texts = [...fields].map(([name, bytes]) => [name, bytes.toString('utf8')]);
  return { fields: Object.fromEntries(texts), fileName, size };
}

async function append(file: FileHandle, bytes: Buffer, size: number): Promise<number> {
  const whole = size + bytes.length;
  if (whole > MAX_SOUND_BYTES) throw new BodyTooLarge(`file: larger than ${MAX_SOUND_BYTES} bytes`);
  await file.writeFile(bytes);
  return whole;
}
