import type { OutgoingHttpHeaders } from 'node:http';
import { acceptsGzip, jsonParts } from './send.ts';

interface Packed {
  readonly parts: (Buffer | string)[];
  readonly headers: OutgoingHttpHeaders;
}

interface Rendering {
  /** Everything but the data. It holds the time, so a rendering lasts a second at most. */
  readonly around: string;
  plain?: Promise<Packed>;
  gzip?: Promise<Packed>;
}

/** Turns an envelope whose data many callers ask for at once into bytes, once per second and encoding. */
export function createSharedRendering() {
  const kept = new WeakMap<object, Rendering>();

  return (envelope: object, data: object, acceptEncoding: string | string[] | undefined): Promise<Packed> => {
    const around = JSON.stringify({ ...envelope, data: null });
    let rendering = kept.get(data);
    if (rendering?.around !== around) {
      rendering = { around };
      kept.set(data, rendering);
    }
    const encoding = acceptsGzip(acceptEncoding) ? 'gzip' : 'plain';
    rendering[encoding] ??= pack(JSON.stringify(envelope), acceptEncoding);
    return rendering[encoding];
  };
}

/** As bytes: a text would be encoded again for every caller. */
async function pack(text: string, acceptEncoding: string | string[] | undefined): Promise<Packed> {
  const { parts, headers } = await jsonParts(text, acceptEncoding);
  return { parts: parts.map((part) => Buffer.from(part)), headers };
}
