import { gzipSync } from 'node:zlib';
import { writeZip } from '../../src/cli/module/zip-writer.ts';
import { toneFile } from '../acceptance/sound-rig.ts';
import { manifestOf } from '../module-fixtures.ts';
import type { Dice } from './dice.ts';
import { hostileBody, hostileText, hostileValue } from './hostile.ts';
import type { Json, Values } from './values.ts';

export interface FuzzRequest {
  readonly operationId: string;
  readonly method: string;
  /** Including the query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Found in earlier answers: ids and sound tokens by resource, uploads, members of queues, entity tags. */
export interface Known {
  ids(path: string): readonly string[];
  /** Records that the run itself needs and no request may touch. */
  spared(resource: string, id: string): boolean;
  readonly uploads: readonly string[];
  tokens(path: string): readonly string[];
  membersOf(queueId: string): readonly string[];
  readonly etags: readonly string[];
}

export interface FuzzOperation {
  readonly method: string;
  readonly path: string;
  readonly document: Json;
}

export const operationsOf = (document: Json): FuzzOperation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, verbs]) =>
    Object.entries<Json>(verbs).map(([verb, operation]) => ({
      method: verb.toUpperCase(),
      path,
      document: operation,
    })),
  );

export const resourceOf = (path: string): string => path.split(/[/:]/)[4] ?? '';

const parametersIn = ({ document }: FuzzOperation, place: string): Json[] =>
  (document.parameters ?? []).filter((parameter: Json) => parameter.in === place);

const isOrder = ({ path }: FuzzOperation): boolean => /:changePriorit/.test(path);

/** As short as a sound may be. */
const TONE = toneFile(440, 0.1, 8000);
const BOUNDARY = 'fuzz-boundary';

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

const asText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Percent-encodings that are malformed, or stand for bytes that a path must not contain. */
const BROKEN_IDS = [
  '%00',
  '%',
  '%zz',
  '%E0%A4%A',
  '%c0%ae',
  '%2e%2e',
  '..',
  '%2F',
  '%5c',
  '0',
  '00',
  '-1',
  '1.0',
  '%20',
];

export function createRequestMaker({ values, known }: { values: Values; known: Known }) {
  function id(dice: Dice, operation: FuzzOperation): string {
    const [parameter] = parametersIn(operation, 'path');
    if (!parameter) return '';
    const ids = known.ids(operation.path);
    if (ids.length > 0 && dice.chance(0.65)) return encoded(dice.pick(ids));
    const fitting = String(values.valid(dice, parameter.schema));
    if (dice.chance(0.4) && !known.spared(resourceOf(operation.path), fitting)) return encoded(fitting);
    return dice.chance(0.4) ? dice.pick(BROKEN_IDS) : encoded(hostileText(dice).slice(0, 1000)) || '%20';
  }

  function query(dice: Dice, operation: FuzzOperation): string {
    const pairs: string[] = [];
    const tame = dice.chance(0.4);
    const parameters = parametersIn(operation, 'query');
    for (const { name, schema, required } of parameters) {
      if (!required && !dice.chance(parameters.length > 3 ? 0.4 : 0.8)) continue;
      const owned =
        { token: known.tokens(operation.path), id: known.ids(operation.path) }[name as string] ?? [];
      const value =
        owned.length > 0 && dice.chance(0.7)
          ? dice.pick(owned)
          : tame || dice.chance(0.5)
            ? values.valid(dice, schema, name)
            : values.wrong(dice, schema);
      pairs.push(`${encoded(name)}=${encoded(asText(value).slice(0, 1500))}`);
      if (!tame && dice.chance(0.05)) pairs.push(`${name}=${encoded(hostileText(dice))}`, `${name}[]=1`);
    }
    if (!tame && dice.chance(0.1)) {
      pairs.push(
        dice.pick([
          '__proto__[polluted]=1',
          'constructor=1',
          '=',
          '&',
          '%00=%00',
          'x=%zz',
          'limit',
          'a[b]=c',
        ]),
      );
    }
    return pairs.length > 0 ? `?${pairs.join('&').slice(0, 8000)}` : '';
  }

  /** Valid fields, one or two of which are then made invalid. */
  function fields(dice: Dice, schema: Json): Record<string, unknown> {
    const body = values.valid(dice, schema) as Record<string, unknown>;
    const providers = known.ids('/pbxcore/api/v3/sip-providers');
    if ('upload_id' in body && known.uploads.length > 0) body.upload_id = dice.pick(known.uploads);
    const routes = known.ids('/pbxcore/api/v3/incoming-routes');
    if ('incomingRouteIds' in body) body.incomingRouteIds = routes.filter(() => dice.chance(0.2));
    if ('providerid' in body && providers.length > 0) body.providerid = dice.pick(providers);
    if (dice.chance(0.45)) return body;
    const names = Object.keys(schema.properties ?? {});
    for (let n = dice.number(3); n >= 0 && names.length > 0; n--) {
      const name = dice.pick(names);
      if (dice.chance(0.15)) delete body[name];
      else body[name] = spoilt(dice, schema.properties[name]);
    }
    if (dice.chance(0.1)) body[hostileText(dice)] = hostileValue(dice);
    return dice.chance(0.05)
      ? JSON.parse(`{"__proto__":{"polluted":1},${JSON.stringify(body).slice(1)}`.replace(',}', '}'))
      : body;
  }

  /** Makes a value invalid; lists and objects often only in one part. */
  function spoilt(dice: Dice, schema: Json): unknown {
    if (schema.type === 'array' && schema.items && dice.chance(0.6))
      return [values.valid(dice, schema.items), spoilt(dice, schema.items)];
    if (schema.properties && dice.chance(0.6)) return fields(dice, schema);
    return values.wrong(dice, schema);
  }

  /** A new position for each of some records, by id. */
  function order(dice: Dice, { path }: FuzzOperation): Record<string, unknown> {
    const moved = known.ids(path).filter(() => dice.chance(0.2));
    return Object.fromEntries(
      moved.map((id) => [id, dice.chance(0.9) ? dice.number(20) : hostileValue(dice)]),
    );
  }

  /** A module archive, sometimes with one corrupt byte. */
  function archive(dice: Dice): Buffer {
    const manifest = JSON.stringify(manifestOf(`Fuzz${dice.number(5)}`));
    const zip = writeZip([
      { name: 'module.json', content: Buffer.from(manifest) },
      { name: 'index.js', content: Buffer.from('export default { resources: [] };') },
    ]);
    if (dice.chance(0.5)) zip.writeUInt8(dice.number(256), dice.number(zip.length));
    return zip;
  }

  /** A sound with a name, or an incomplete form. */
  function form(dice: Dice, operation: FuzzOperation): { body: string | Buffer; type: string } {
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    if (dice.chance(0.3))
      return { body: hostileText(dice), type: dice.chance(0.5) ? type : 'multipart/form-data' };
    const ids = known.ids(operation.path);
    const fields = {
      ...(dice.chance(0.7) && { name: dice.chance(0.7) ? 'Fuzz' : headerSafe(hostileText(dice)) }),
      ...(dice.chance(0.3) && { category: dice.chance(0.8) ? 'moh' : hostileText(dice) }),
      ...(dice.chance(0.3) && ids.length > 0 && { id: dice.pick(ids) }),
    };
    const head = (about: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${about}\r\n\r\n`;
    const parts = Object.entries(fields).map(([name, value]) => `${head(`name="${name}"`)}${value}\r\n`);
    const file = head(
      `name="file"; filename="${dice.chance(0.8) ? 'tone.wav' : headerSafe(hostileText(dice))}"`,
    );
    const bytes = dice.chance(0.8) ? TONE : Buffer.from(hostileText(dice));
    return {
      body: Buffer.concat([
        Buffer.from(parts.join('') + file),
        bytes,
        Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
      ]),
      type,
    };
  }

  function payload(
    dice: Dice,
    operation: FuzzOperation,
    ownId: string,
  ): { body: string | Buffer; type: string } | undefined {
    const content = operation.document.requestBody?.content;
    if (!content) {
      if (operation.method === 'GET' || operation.method === 'HEAD' || dice.chance(0.8)) return undefined;
      return { body: hostileBody(dice), type: 'application/json' };
    }
    if (dice.chance(0.08)) return { body: hostileBody(dice), type: 'application/json' };
    const type = dice.pick(Object.keys(content));
    if (type === 'text/csv' || type === 'text/calendar') {
      const name = type === 'text/csv' ? 'csv' : 'ics';
      const body = dice.chance(0.5)
        ? String(values.valid(dice, { type: 'string' }, name))
        : hostileText(dice);
      return { body, type };
    }
    if (type.startsWith('audio/')) return { body: dice.chance(0.5) ? TONE : hostileText(dice), type };
    if (type.startsWith('multipart/')) return form(dice, operation);
    if (type === 'application/zip') return { body: archive(dice), type };
    const made = isOrder(operation) ? order(dice, operation) : fields(dice, content[type].schema);
    const members = /:setMemberState$/.test(operation.path) ? known.membersOf(ownId) : [];
    if (members.length > 0 && dice.chance(0.8)) made.extension = dice.pick(members);
    if (type === 'application/x-www-form-urlencoded') {
      const pairs = Object.entries(made).map(([name, value]) => `${encoded(name)}=${encoded(asText(value))}`);
      return { body: pairs.join('&'), type };
    }
    return { body: JSON.stringify(made), type };
  }

  return function makeRequest(dice: Dice, operation: FuzzOperation): FuzzRequest {
    const { method, document } = operation;
    const headers: Record<string, string> = {};
    const ownId = id(dice, operation);
    const sent = payload(dice, operation, ownId);
    let body = sent?.body;
    if (sent) {
      headers['content-type'] = dice.chance(0.03)
        ? dice.pick([
            'text/plain',
            'application/json; charset=latin1',
            'x',
            'multipart/form-data',
            'application/xml',
          ])
        : sent.type;
    }
    for (const { name, schema } of parametersIn(operation, 'header')) {
      if (!dice.chance(0.3)) continue;
      const good: readonly string[] = schema.enum ?? known.etags;
      const isGood = good.length > 0 && dice.chance(0.8);
      headers[name.toLowerCase()] = headerSafe(isGood ? dice.pick(good) : hostileText(dice));
      if (name === 'Content-Encoding' && body !== undefined && dice.chance(0.7)) body = gzipSync(body);
    }
    if (dice.chance(document.responses[206] ? 0.6 : 0.1)) {
      headers.accept = dice.pick([
        'text/csv',
        'application/x-ndjson',
        '*/*',
        'application/json',
        'x',
        ';;,q=',
      ]);
      headers.range = dice.pick(['bytes=0-1', 'bytes=-5', 'bytes=99999-', 'bytes=2-1', 'bytes=0-0,2-3', 'x']);
    }
    const path = operation.path.replace('{id}', () => ownId) + query(dice, operation);
    return { operationId: document.operationId, method, path, headers, ...(body !== undefined && { body }) };
  };
}

/** Node refuses to send other characters. */
export const headerSafe = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
