import Type from 'typebox';
import { enveloped } from '../../../http/answer.ts';
import type { IncomingContent } from '../../../http/body.ts';
import { described, oneOf, readFields, text, withDefault } from '../../../http/fields.ts';
import { rangedFile } from '../../../http/ranged-file.ts';
import {
  type Call,
  digits,
  type Method,
  publicAccess,
  type Route,
  reads,
  route,
  writes,
} from '../../../http/route.ts';
import { Forbidden, InvalidFields } from '../../../lib/errors.ts';
import type { TimedTokens } from '../../../lib/timed-tokens.ts';
import type { FlowService } from '../records/flow-service.ts';
import { UNKNOWN_SOUND } from './audio/wave-file.ts';
import { type SoundRecord, type SoundValues, showChoice } from './sound.ts';
import {
  CATEGORIES,
  SoundChoice,
  soundFileResource,
  UploadedSound,
  uploadFields,
} from './sound-files.schema.ts';
import type { Sounds, SoundWishes } from './sound-files.service.ts';
import { MAX_UPLOAD_BYTES, type ReceivedSound } from './sound-uploads.ts';

interface RouteParts {
  readonly service: FlowService<SoundValues>;
  readonly sounds: Sounds;
  readonly tokens: TimedTokens;
  readonly show: (record: SoundRecord) => Promise<object>;
}

const WAVE_TYPE = 'audio/wav';
const binary = { type: 'string', format: 'binary' };
const formSchema = {
  type: 'object',
  properties: {
    file: binary,
    ...Object.fromEntries(Object.entries(uploadFields).map(([name, { schema }]) => [name, schema])),
  },
  required: ['file'],
};

/** Routes of sounds besides those of all kinds: upload and playback (contract 24). */
export function soundFileRoutes({ service, sounds, tokens, show }: RouteParts): Route[] {
  const playback = (method: Method) =>
    route({
      method,
      path: '/sound-files:playback',
      function: 'playback',
      access: publicAccess,
      group: soundFileResource,
      summary: 'Play a sound',
      description: 'The URL comes with a sound and is valid for an hour. A single byte range is supported.',
      query: { token: text({ min: 1, max: 4096 }) },
      produces: [WAVE_TYPE],
      errors: [206, 403, 404, 416],
      async handle({ query, headers, signal }) {
        const id = tokens.idOf(query.token);
        if (id === undefined) throw new Forbidden('this link has expired');
        const file = await sounds.find(await service.find(String(id)), 'wav', signal);
        return rangedFile({ ...file, contentType: WAVE_TYPE, disposition: 'inline' }, headers.range);
      },
    });
  const download = (method: Method) =>
    route({
      method,
      path: '/sound-files/{id}:download',
      function: 'download',
      access: reads(soundFileResource),
      summary: 'Download the original audio of a sound',
      id: digits,
      find: service.find,
      produces: [WAVE_TYPE],
      errors: [206, 416],
      async handle({ found, headers, signal }) {
        const file = await sounds.find(found, 'original', signal);
        const disposition = `attachment; filename="sound_${found.id}.wav"`;
        return rangedFile({ ...file, contentType: WAVE_TYPE, disposition }, headers.range);
      },
    });

  return [
    route({
      method: 'GET',
      path: '/sound-files:getForSelect',
      function: 'getForSelect',
      access: reads(soundFileResource),
      summary: 'Sounds to choose from, by name',
      query: {
        category: described(withDefault(oneOf(CATEGORIES), 'custom'), 'Only sounds of this category'),
      },
      answer: Type.Array(SoundChoice),
      async handle({ query }) {
        const wanted = (await service.list()).filter(({ values }) => values.category === query.category);
        return wanted.sort((a, b) => a.name.localeCompare(b.name, 'en')).map(showChoice);
      },
    }),
    route({
      method: 'POST',
      path: '/sound-files:uploadFile',
      function: 'uploadFile',
      access: writes(soundFileResource),
      summary: 'Upload audio for a new or an existing sound',
      description:
        'Send a form with the part `file`, or the bytes of a WAVE file with the other fields in the query. 200 when the sound already existed. PCM WAV only: 415 for anything else.',
      status: 201,
      orStatus: 200,
      query: uploadFields,
      accepts: {
        anyObject: true,
        content: {
          types: { 'multipart/form-data': formSchema, [WAVE_TYPE]: binary, 'audio/x-wav': binary },
          maxBytes: MAX_UPLOAD_BYTES,
          refusal: UNKNOWN_SOUND,
        },
      },
      answer: UploadedSound,
      errors: [404, 409],
      async handle(call) {
        const { body, query, signal } = call;
        const { content } = body as { content?: IncomingContent };
        if (!content) throw new InvalidFields('file: required', ['file']);
        const sent = query as Partial<SoundValues> & { id?: string };
        const { record, isNew } = await sounds.upload(
          content,
          (received) =>
            wishesOf(received, content.type === 'multipart/form-data' ? undefined : sent, call as Call),
          signal,
        );
        const data = { ...(await show(record)), sound_file_id: record.id };
        return enveloped(data, { status: isNew ? 201 : 200 });
      },
    }),
    playback('GET'),
    playback('HEAD'),
    download('GET'),
    download('HEAD'),
  ];
}

/** A form brings its fields along; those of plain bytes came in the query, already checked. */
function wishesOf(
  { fields, fileName }: ReceivedSound,
  query: (Partial<SoundValues> & { id?: string }) | undefined,
  { warn }: Call,
): SoundWishes {
  // Some clients cut files into pieces, and say so even if there is only one (contract 24).
  if (Number(fields.resumableTotalChunks ?? 1) > 1)
    throw new InvalidFields('file: must come in one piece', ['file']);
  const read = query ? { values: query, unknown: [] } : readFields(uploadFields, fields);
  for (const name of read.unknown.filter((unknown) => !unknown.startsWith('resumable')))
    warn(`${JSON.stringify(name.slice(0, 64)).slice(1, -1)}: unknown field, ignored`);
  const { id = '', ...sent } = read.values as Partial<SoundValues> & { id?: string };
  const values = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  if (id !== '') return { id, values };
  return { values: { name: nameOf(fileName), ...values } };
}

/** The file name without the sender's folders and without extension. */
function nameOf(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? '';
  const name = last
    .replace(/\.[^.]*$/, '')
    .replace(/\p{Cc}/gu, ' ')
    .trim();
  return [...(name || 'Sound')].slice(0, 200).join('');
}
