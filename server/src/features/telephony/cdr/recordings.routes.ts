import { text } from '../../../http/fields.ts';
import { rangedFile } from '../../../http/ranged-file.ts';
import {
  type Call as HttpCall,
  type Method,
  publicAccess,
  type Resource,
  type Route,
  route,
} from '../../../http/route.ts';
import { Forbidden, NotFound } from '../../../lib/errors.ts';
import type { Cdr } from './cdr.service.ts';
import type { Leg } from './leg.ts';

const AUDIO = ['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/webm'];

/** Recordings by token: an audio tag sends no header, so the token is the only credential (contract 5.5). */
export function recordingRoutes({ cdr, group }: { cdr: Cdr; group: Resource }): Route[] {
  const describe = (method: Method, action: 'playback' | 'download') =>
    route({
      method,
      path: `/cdr:${action}`,
      function: action,
      access: publicAccess,
      group,
      summary: action === 'playback' ? 'Play a recording' : 'Download a recording',
      description:
        'The URL comes with a call record and is valid for an hour. A single byte range is supported.',
      query: { token: text({ min: 1, max: 4096 }) },
      produces: AUDIO,
      errors: [206, 403, 404, 416],
      handle: (call) => send(call, action),
    });

  async function send(
    { query, headers }: HttpCall<unknown, { token: string }>,
    action: 'playback' | 'download',
  ) {
    const found = await cdr.recordingOf(query.token);
    if (found === 'expired') throw new Forbidden('this link has expired');
    if (found === 'gone') throw new NotFound('recording not found');
    const { leg, file } = found;
    return rangedFile(
      {
        ...file,
        disposition:
          action === 'playback' ? 'inline' : `attachment; filename="${downloadName(leg, file.extension)}"`,
      },
      headers.range,
    );
  }

  return (['playback', 'download'] as const).flatMap((action) => [
    describe('GET', action),
    describe('HEAD', action),
  ]);
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

function downloadName(leg: Leg, extension: string): string {
  const [day = '', time = ''] = leg.start.slice(0, 19).split(' ').map(digitsOf);
  return `call_${digitsOf(leg.src_num)}_to_${digitsOf(leg.dst_num)}_${day}-${time}.${extension}`;
}
