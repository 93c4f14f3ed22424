import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './run-command.ts';

export const LANGUAGES = ['en', 'de', 'ru'] as const;
const SOURCES = 'web/src';
/** Of files offered for saving, which are not texts. */
const FILE_NAME = /\.(csv|json|ndjson|yaml)$/;
const PLURAL = /_(zero|one|two|few|many|other)$/;

/** Keys of a language with their texts: `employees.title`; the first part is the folder of the file. */
export function textsOf(language: string): Map<string, string> {
  const files = globSync(`${SOURCES}/**/texts.${language}.json`, { cwd: root });
  return new Map(
    files.flatMap((file) =>
      flat(JSON.parse(readFileSync(join(root, file), 'utf8')), basename(dirname(file))),
    ),
  );
}

function flat(value: unknown, key: string): [string, string][] {
  if (typeof value === 'string') return [[key, value]];
  return Object.entries(value as object).flatMap(([name, inner]) => flat(inner, `${key}.${name}`));
}

/** Without the plural suffix: each language has its own ones. */
export const withoutPlural = (key: string): string => key.replace(PLURAL, '');

/** The names between braces, whose values the code provides. */
export const placeholdersOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name as string))].sort();

interface Used {
  /** Literal keys in the code. */
  readonly keys: ReadonlySet<string>;
  /** Keys composed in the code: the changing part matches anything. */
  readonly patterns: readonly RegExp[];
}

/** Every string in the sources that is a key, wherever it occurs: some are chosen first and looked up later. */
export function usedKeys(prefixes: readonly string[]): Used {
  const begins = `(?:${prefixes.map(escaped).join('|')})\\.`;
  const plain = new RegExp(`(['"])(${begins}[\\w.-]+)\\1`, 'g');
  const composed = new RegExp(`\`(${begins}[^\`]*)\``, 'g');
  const keys = new Set<string>();
  const patterns = new Map<string, RegExp>();
  for (const file of globSync(`${SOURCES}/**/*.{ts,tsx}`, { cwd: root })) {
    const code = readFileSync(join(root, file), 'utf8');
    for (const [, , key = ''] of code.matchAll(plain)) if (!FILE_NAME.test(key)) keys.add(key);
    for (const [, template] of code.matchAll(composed)) {
      const parts = (template as string).split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/).map(escaped);
      patterns.set(template as string, new RegExp(`^${parts.join('[\\w-]+')}$`));
    }
  }
  return { keys, patterns: [...patterns.values()] };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
