import { custom, FieldProblem } from '../../../http/fields.ts';
import type { Level } from '../../../http/route.ts';

export type Grants = ReadonlyMap<string, Level>;

const PATH = /^\/api\/v\d+(\/[a-z0-9-]+)+$/;

/** Parses stored grants. An unreadable text grants nothing. */
export function parseGrants(stored: string): Grants {
  try {
    return readGrants(JSON.parse(stored));
  } catch {
    return new Map();
  }
}

export const grantsText = (grants: Grants): string => JSON.stringify(Object.fromEntries(grants));

/** An object that maps paths to levels, or its JSON text (contract 2.7). */
export const grantsField = custom<Grants>(
  {
    type: ['object', 'string'],
    additionalProperties: { type: 'string', enum: ['read', 'write'] },
    examples: [{ '/api/v3/firewall-bouncer': 'read' }],
  },
  (value) => readGrants(typeof value === 'string' ? parsed(value) : value),
);

function parsed(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new FieldProblem('must be an object, or its JSON text');
  }
}

function readGrants(value: unknown): Grants {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FieldProblem('must be an object of path to level');
  }
  const grants = new Map<string, Level>();
  for (const [path, level] of Object.entries(value)) {
    if (path.length < 10 || path.length > 255 || !PATH.test(path)) {
      throw new FieldProblem(
        'a path must look like /api/v3/resource (10..255 lower-case letters, digits, hyphens)',
      );
    }
    if (level !== 'read' && level !== 'write') throw new FieldProblem('a level must be read or write');
    grants.set(path, level);
  }
  return grants;
}
