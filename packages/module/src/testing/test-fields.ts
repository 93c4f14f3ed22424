import type { FieldDescription, FieldDescriptions, JsonObject } from '../description.ts';
import { invalid } from '../refusal.ts';

/** `create`: required, defaults. `replace`: required, `null` where nothing was sent. `patch`: only what was sent. */
type Mode = 'create' | 'replace' | 'patch' | 'query';

const DEFAULT_MAX = 255;
const TRUE = new Set<unknown>([true, 'true', '1', 1]);
const FALSE = new Set<unknown>([false, 'false', '0', 0]);

const boundProblem = (value: number, min: number, max: number): string | undefined =>
  value < min || value > max ? `must be ${min}..${max} (got ${value})` : undefined;

/** Checks what was sent as the exchange does; all problems come together. */
export function readDeclared(fields: FieldDescriptions, sent: JsonObject, mode: Mode): JsonObject {
  const problems: string[] = [];
  const values: JsonObject = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.readOnly) continue;
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (value === undefined || value === null) {
      if (mode === 'patch') continue;
      if (field.default !== undefined && mode !== 'replace') values[name] = structuredClone(field.default);
      else if (field.required) problems.push(`${name}: required`);
      else if (mode === 'replace') values[name] = null;
      continue;
    }
    const { read, problem } = readValue(field, value);
    if (problem) problems.push(`${name}: ${problem}`);
    else values[name] = read;
  }
  const [first, ...others] = problems;
  if (first) throw invalid(first, ...others);
  return values;
}

function readValue(
  field: FieldDescription,
  value: unknown,
): { read?: unknown; problem?: string | undefined } {
  switch (field.type) {
    case 'string': {
      if (field.enum) {
        const { enum: allowed } = field;
        return allowed.includes(value as string)
          ? { read: value }
          : { problem: `must be one of ${allowed.join(', ')}` };
      }
      if (typeof value !== 'string') return { problem: 'must be a string' };
      const read = value.trim();
      return { read, problem: textProblem(field, read) };
    }
    case 'integer': {
      const digits = typeof value === 'string' && /^-?\d{1,16}$/.test(value.trim());
      const read = digits ? Number(value) : value;
      if (typeof read !== 'number' || !Number.isSafeInteger(read)) return { problem: 'must be an integer' };
      const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = field;
      return { read, problem: boundProblem(read, min, max) };
    }
    case 'number': {
      const read = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
      if (typeof read !== 'number' || !Number.isFinite(read)) return { problem: 'must be a number' };
      const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = field;
      return { read, problem: boundProblem(read, min, max) };
    }
    case 'boolean':
      if (TRUE.has(value)) return { read: true };
      if (FALSE.has(value)) return { read: false };
      return { problem: 'must be true or false ("true", "false", "1", "0", 1 and 0 are read too)' };
    case 'array':
      return Array.isArray(value) ? { read: value } : { problem: 'must be an array' };
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
        ? { read: value }
        : { problem: 'must be an object' };
  }
}

function textProblem(
  field: FieldDescription & { readonly type: 'string' },
  value: string,
): string | undefined {
  const { min = 0, max = DEFAULT_MAX, pattern, multiline } = field;
  const length = [...value].length;
  if ((multiline ? /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]/ : /[\0-\x1f\x7f-\x9f]/).test(value))
    return 'control characters are not allowed';
  if (!value.isWellFormed()) return 'must be valid Unicode';
  if (length < min) return min === 1 ? 'must not be empty' : `at least ${min} characters (got ${length})`;
  if (length > max) return `at most ${max} characters (got ${length})`;
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(value))
    return `must match ${pattern}`;
  return undefined;
}
