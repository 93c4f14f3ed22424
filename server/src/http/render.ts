import { Readable } from 'node:stream';
import type { Clock } from '../lib/clock.ts';
import { isAnswer, isEnveloped, JSON_TYPE } from './answer.ts';
import { CORE_DIALECT, type Dialect } from './dialect.ts';
import { errorEnvelope, type Notes, successEnvelope, successPieces, successText } from './envelope.ts';
import { describeFailure } from './failure.ts';
import { packedStream } from './packed-stream.ts';
import type { Route } from './route.ts';
import { jsonParts, type Outgoing } from './send.ts';
import { createSharedRendering } from './shared-rendering.ts';

type AcceptEncoding = string | string[] | undefined;

/** Turns the value or error of a handler into the answer to send. */
export function createRenderer({ clock, timezone }: { clock: Clock; timezone: string }) {
  const renderShared = createSharedRendering();

  return {
    async success(
      value: unknown,
      { function: name, status: usual = 200, dialect = CORE_DIALECT }: Route,
      notes: Notes,
      acceptEncoding: AcceptEncoding,
    ): Promise<Outgoing> {
      if (isAnswer(value)) return value;
      const beside = isEnveloped(value) ? value : undefined;
      const { meta, pagination: known, status = usual } = beside ?? {};
      const aroundIt = () => {
        const pagination = typeof known === 'function' ? known() : known;
        return { function: name, now: clock.now(), timezone, status, dialect, meta, pagination };
      };
      if (beside?.pieces) {
        const stream = Readable.from(successPieces(beside.pieces, notes, aroundIt), { objectMode: false });
        return outgoing(status, packedStream(stream, acceptEncoding), beside.headers);
      }
      const around = aroundIt();
      if (beside?.json !== undefined) {
        const text = successText(beside.json, notes, around);
        return outgoing(status, await jsonParts(text, acceptEncoding), beside.headers);
      }
      const envelope = successEnvelope(beside ? beside.data : value, notes, around);
      const packed = beside?.shared
        ? await renderShared(envelope, beside.data as object, acceptEncoding)
        : await jsonParts(JSON.stringify(envelope), acceptEncoding);
      return outgoing(status, packed, beside?.headers);
    },

    async failure(
      error: unknown,
      { function: name, dialect }: { function: string; dialect: Dialect },
      acceptEncoding: AcceptEncoding,
    ): Promise<Outgoing> {
      const { status, reasons, headers } = describeFailure(error);
      const around = { function: name, now: clock.now(), timezone, status, dialect };
      const text = JSON.stringify(errorEnvelope(reasons, around));
      return outgoing(status, await jsonParts(text, acceptEncoding), headers);
    },
  };
}

function outgoing(
  status: number,
  packed: Pick<Outgoing, 'headers' | 'parts' | 'stream'>,
  headers: Outgoing['headers'] = {},
): Outgoing {
  const own = { 'content-type': JSON_TYPE, 'cache-control': 'no-store' };
  return { ...packed, status, headers: { ...own, ...packed.headers, ...headers } };
}
