import Type from 'typebox';
import {
  boolean,
  custom,
  type Field,
  FieldProblem,
  oneOf,
  optional,
  readFields,
} from '../../../http/fields.ts';
import {
  AS_SPECIFIED,
  type BouncerOptions,
  CLIENT_NAMES,
  type ClientName,
  DURATION_FORMATS,
  optionsOf,
} from '../../../lib/bouncer-options.ts';
import { InvalidFields } from '../../../lib/errors.ts';

/** The option fields of a request (contract 17.20). */
export interface SentOptions {
  readonly client?: ClientName | '';
  readonly bouncer_options?: Partial<BouncerOptions>;
}

export const BouncerOptionsShape = Type.Object(
  {
    deleted_excludes_present: Type.Boolean({
      description: '`deleted` names no value that `new` still holds',
    }),
    one_per_address: Type.Boolean({ description: 'One row per value, with the longest ban' }),
    duration_format: Type.Enum([...DURATION_FORMATS], { description: '`600s`, `10m0s` or `10m0.5s`' }),
    subtract_whitelist: Type.Boolean({
      description: 'Leave out decisions that are entirely covered by the whitelist',
    }),
  },
  { $id: 'BouncerOptions' },
);
export const ClientShape = Type.Enum(['', ...CLIENT_NAMES], {
  description: 'The client whose options were applied; empty: none',
});

const optionFields = {
  deleted_excludes_present: optional(boolean),
  one_per_address: optional(boolean),
  duration_format: optional(oneOf(DURATION_FORMATS)),
  subtract_whitelist: optional(boolean),
} satisfies Record<keyof BouncerOptions, Field<unknown>>;

export const optionsField = custom<Partial<BouncerOptions>>(
  {
    type: 'object',
    properties: Object.fromEntries(Object.entries(optionFields).map(([name, { schema }]) => [name, schema])),
    additionalProperties: false,
    examples: [{ deleted_excludes_present: true, duration_format: 'go' }],
  },
  readOptions,
);

export const clientField = custom<ClientName | ''>(
  { type: 'string', enum: ['', ...CLIENT_NAMES] },
  (value) => {
    if (value === '' || isClient(value)) return value;
    throw new FieldProblem(`must be empty or one of ${CLIENT_NAMES.join(', ')}`);
  },
);

function readOptions(value: unknown): Partial<BouncerOptions> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FieldProblem(`must be an object of ${Object.keys(optionFields).join(', ')}`);
  const { values, unknown } = read(value as Record<string, unknown>);
  if (unknown.length === 0) return values;
  throw new FieldProblem(
    `${unknown[0]} is not an option; the options are ${Object.keys(optionFields).join(', ')}`,
  );
}

function read(sent: Readonly<Record<string, unknown>>) {
  try {
    return readFields(optionFields, sent);
  } catch (error) {
    if (error instanceof InvalidFields) throw new FieldProblem(error.reasons.join('; '));
    throw error;
  }
}

const isClient = (value: unknown): value is ClientName => CLIENT_NAMES.includes(value as ClientName);

/** A client name sets all options; options sent with it or later override these. */
export const optionsAfter = (
  { client, bouncer_options: sent }: SentOptions,
  before: BouncerOptions = AS_SPECIFIED,
): BouncerOptions => ({ ...(client === undefined ? before : optionsOf(client)), ...sent });

/** Names of the sent options that differ from those of the client. */
export function otherThanClient({ client = '', bouncer_options: sent = {} }: SentOptions): string[] {
  const set = optionsOf(client);
  return (Object.keys(sent) as (keyof BouncerOptions)[]).filter((name) => sent[name] !== set[name]);
}

/** Parses stored options. An unreadable text counts as `AS_SPECIFIED`. */
export function parseOptions(stored: string): BouncerOptions {
  if (stored === '') return AS_SPECIFIED;
  try {
    return { ...AS_SPECIFIED, ...read(JSON.parse(stored)).values };
  } catch {
    return AS_SPECIFIED;
  }
}

export interface KeptOptions {
  readonly client: ClientName | '';
  readonly bouncer_options: BouncerOptions;
}

/** The options stored with a key. */
export const keptOptions = (row: { bouncer_client: string; bouncer_options: string }): KeptOptions => ({
  client: isClient(row.bouncer_client) ? row.bouncer_client : '',
  bouncer_options: parseOptions(row.bouncer_options),
});

export function optionsText(options: BouncerOptions): string {
  const text = JSON.stringify(options);
  return text === JSON.stringify(AS_SPECIFIED) ? '' : text;
}
