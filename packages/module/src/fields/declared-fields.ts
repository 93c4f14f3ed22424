import type { FieldDescription, FieldDescriptions } from '../description.ts';
import { isObject, must, shown } from './broken-module.ts';
import {
  boolean,
  custom,
  described,
  type Field,
  FieldProblem,
  type Fields,
  integer,
  oneOf,
  optional,
  text,
  withDefault,
} from './field.ts';
import { MAX_MATCHED_LENGTH, patternSteps, safePattern } from './safe-pattern.ts';
import { unique } from './unique-value.ts';

const MAX_FIELDS = 200;
const KEYS =
  'type description required default readOnly min max pattern enum multiline unique search secret'.split(' ');
const MAX_LENGTH = 255;
const MAX_TEXT = 1024 * 1024;
/** For the patterns of all fields in one place, which one request may have to match: about ten milliseconds. */
const MAX_ALL_STEPS = 3_000_000;
const MAX_JSON_BYTES = 64 * 1024;

type Pay = (steps: number, where: string) => void;

/** Declared fields, read and checked; they come from a module and may be anything. */
export interface DeclaredFields {
  readonly descriptions: FieldDescriptions;
  /** Defaults apply on create only (contract 9.1). */
  readonly create: Fields;
  /** PUT requires what is required and adds no defaults. */
  readonly replace: Fields;
  readonly patch: Fields;
  /** For a query: as for create. */
  readonly query: Fields;
  /** Only in answers. */
  readonly readOnly: readonly string[];
}

/** Declares fields; all of them share one limit for matching defaults against patterns. */
export function createDeclarations(): (given: unknown, where: string) => DeclaredFields {
  let left = MAX_ALL_STEPS;
  const pay = (steps: number, where: string) => {
    left -= steps;
    must(left >= 0, `${where}: the defaults up to here take too long to check against their patterns`);
  };
  return (given, where) => readFields(given, where, pay);
}

export const declareFields = (given: unknown, where: string): DeclaredFields =>
  createDeclarations()(given, where);

function readFields(given: unknown, where: string, pay: Pay): DeclaredFields {
  must(given === undefined || isObject(given), `${where}: fields must be an object`);
  const entries = Object.entries(given ?? {});
  must(entries.length <= MAX_FIELDS, `${where}: more than ${MAX_FIELDS} fields`);
  const create: Record<string, Field<unknown>> = {};
  const readOnly: string[] = [];
  let steps = 0;
  for (const [name, description] of entries) {
    must(/^[A-Za-z_]\w{0,63}$/.test(name), `${where}: ${shown(name)} is not a field name`);
    // Every object has these: a field that was not sent would seem to be.
    must(!(name in {}), `${where}: ${name} is not a field name`);
    const place = `${where}, field ${name}`;
    must(isObject(description), `${place}: must be an object`);
    requireKnown(description, place);
    if (description.readOnly === true) {
      // Its description is shown, although nobody can write it.
      reader(description as unknown as FieldDescription, place);
      readOnly.push(name);
      continue;
    }
    create[name] = declareField(description, place, pay);
    steps += stepsOf(description as unknown as FieldDescription);
  }
  must(steps <= MAX_ALL_STEPS, `${where}: its patterns together take too long to check`);
  const replace = Object.fromEntries(Object.entries(create).map(([n, f]) => [n, withoutDefault(f)]));
  const patch = Object.fromEntries(Object.entries(create).map(([n, f]) => [n, optional(f)]));
  return {
    descriptions: (given ?? {}) as FieldDescriptions,
    create,
    replace,
    patch,
    query: create,
    readOnly,
  };
}

/** PUT replaces the whole record and adds no default (contract 9.1). */
export function unsentAsNull(body: unknown, fields: Fields): Record<string, unknown> {
  const all = Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
  return { ...all, ...(body as object) };
}

/** A misspelt key would promise something that is not done. Descriptions are passed on as they are. */
function requireKnown(given: Record<string, unknown>, where: string): void {
  const odd = Object.keys(given).find((key) => !KEYS.includes(key));
  must(odd === undefined, `${where}: ${shown(odd)} is not one of ${KEYS.join(', ')}`);
  // Only strings are compared and searched: on other types, these would promise what is not done.
  for (const mark of ['unique', 'search'])
    must(given[mark] === undefined || given.type === 'string', `${where}: ${mark} is for texts`);
  must(given.enum === undefined || Array.isArray(given.enum), `${where}: enum must be a list`);
  must(
    ['undefined', 'string'].includes(typeof given.description),
    `${where}: its description must be a text`,
  );
}

const withoutDefault = ({ fallback: _, ...field }: Field<unknown>): Field<unknown> => field;

function declareField(given: Record<string, unknown>, where: string, pay: Pay): Field<unknown> {
  const description = given as unknown as FieldDescription;
  let field = reader(description, where);
  if (description.description !== undefined) field = described(field, description.description.slice(0, 500));
  if (description.default !== undefined && description.default !== null) {
    if (typeof description.default === 'string') pay(stepsOf(description, description.default.length), where);
    let value: unknown;
    try {
      value = field.read(description.default);
    } catch (problem) {
      must(false, `${where}: its default ${(problem as Error).message}`);
    }
    return withDefault(field, value);
  }
  return description.required === true ? field : optional(field);
}

function reader(description: FieldDescription, where: string): Field<unknown> {
  switch (description.type) {
    case 'string':
      return textReader(description, where);
    case 'integer': {
      const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = description;
      must(Number.isSafeInteger(min) && Number.isSafeInteger(max) && min <= max, `${where}: min and max`);
      return integer({ min, max });
    }
    case 'number':
      return numberReader(description, where);
    case 'boolean':
      return boolean;
    case 'array':
    case 'object':
      return jsonReader(description.type);
    default:
      must(false, `${where}: type must be string, integer, number, boolean, array or object`);
  }
}

function textReader(
  description: Extract<FieldDescription, { type: 'string' }>,
  where: string,
): Field<unknown> {
  const { min = 0, max = MAX_LENGTH, pattern, enum: values } = description;
  if (values !== undefined) {
    const usable = Array.isArray(values) && values.length > 0 && values.length <= 200;
    must(usable && values.every((value) => typeof value === 'string'), `${where}: enum must list texts`);
    return oneOf(values);
  }
  const inBounds = Number.isInteger(min) && Number.isInteger(max) && 0 <= min && min <= max;
  must(inBounds && max <= MAX_TEXT, `${where}: min and max must be 0..${MAX_TEXT}, min not above max`);
  const lines = description.multiline === true ? ({ whiteSpace: true } as const) : {};
  if (pattern === undefined) {
    const field = text({ min, max, ...lines });
    return description.unique === true ? unique(field) : field;
  }
  must(max <= MAX_MATCHED_LENGTH, `${where}: with a pattern, max is at most ${MAX_MATCHED_LENGTH}`);
  const test = typeof pattern === 'string' ? safePattern(pattern, max) : undefined;
  must(test, `${where}: its pattern cannot be checked quickly`);
  return text({ min, max, ...lines, pattern: { test, says: `must match ${pattern}` } });
}

/** The worst-case cost of its pattern for a text of this length, if it has a usable one. */
function stepsOf(description: FieldDescription, length = Infinity): number {
  if (description.type !== 'string' || description.enum !== undefined) return 0;
  const { pattern, max = MAX_LENGTH } = description;
  return pattern === undefined ? 0 : patternSteps(pattern, Math.min(max, length));
}

function numberReader(
  { min = -Number.MAX_VALUE, max = Number.MAX_VALUE }: { min?: number; max?: number },
  where: string,
): Field<number> {
  must(typeof min === 'number' && typeof max === 'number' && min <= max, `${where}: min and max`);
  return custom({ type: 'number', minimum: min, maximum: max }, (value) => {
    const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) throw new FieldProblem('must be a number');
    if (number < min || number > max) throw new FieldProblem(`must be ${min}..${max} (got ${number})`);
    return number;
  });
}

function jsonReader(type: 'array' | 'object'): Field<unknown> {
  return custom({ type }, (value) => {
    if (type === 'array' ? !Array.isArray(value) : !isObject(value))
      throw new FieldProblem(`must be an ${type}`);
    if (JSON.stringify(value).length > MAX_JSON_BYTES)
      throw new FieldProblem(`at most ${MAX_JSON_BYTES} bytes`);
    return value;
  });
}
