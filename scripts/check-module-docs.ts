// The tables of docs/modules.md list every member of the types for module authors, with its right, and no others.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Expression,
  type ObjectProperty,
  type PropertyKey,
  parseSync,
  type TSType,
  Visitor,
} from 'oxc-parser';

const DOCUMENT = 'docs/modules.md';
const TYPES = 'packages/module/src/*.ts';

/** A table, and the type whose members are in its first column. */
interface Table {
  readonly heading: string;
  /** `Context.core`: the type of that member. */
  readonly type: string;
  /** Written before each member. */
  readonly prefix: string;
  /** A constant with the right that each member needs, which the second column must show. */
  readonly rights?: { readonly file: string; readonly name: string };
  /** The third column lists the members of each member's own type. */
  readonly facts?: true;
}

const EVENT_READS = { file: 'server/src/module-host/line/protocol.ts', name: 'EVENT_READS' };
const QUESTIONS = { file: 'server/src/module-host/questions/core-reads.ts', name: 'QUESTIONS' };
const tables: readonly Table[] = [
  { heading: '## The context', type: 'Context', prefix: 'context.' },
  { heading: '### The call', type: 'Call', prefix: 'call.' },
  { heading: '### What the core answers', type: 'Context.core', prefix: '', rights: QUESTIONS },
  { heading: '### Events', type: 'TelephonyEvents', prefix: '', rights: EVENT_READS, facts: true },
  { heading: '### A leg', type: 'EndedLeg', prefix: '' },
];

type Members = Map<string, TSType | undefined>;

/** Checks the repository in `folder`; returns one sentence per problem. */
export function checkModuleDocs(folder: string): string[] {
  const text = readFileSync(join(folder, DOCUMENT), 'utf8');
  const membersOf = readTypes(globSync(TYPES, { cwd: folder }).map((path) => join(folder, path)));
  return tables.flatMap((table) => problemsOf(table)).map((problem) => `${DOCUMENT}: ${problem}`);

  function problemsOf({ heading, type, prefix, rights, facts }: Table): string[] {
    const rows = rowsBelow(text, heading);
    if (rows.length === 0) return [`there is no table below "${heading}"`];
    const [name = '', member = ''] = type.split('.');
    const whole = membersOf(name);
    const members = member === '' ? whole : membersOf(whole.get(member));
    const needed = rights && rightsIn(readFileSync(join(folder, rights.file), 'utf8'), rights.name);
    const named = new Map(rows.flatMap((cells) => namesIn(cells[0]).map((one) => [one, cells] as const)));
    const below = `below "${heading}"`;
    return [
      ...[...members.keys()]
        .filter((key) => !named.has(prefix + key))
        .map((key) => `the table ${below} lacks a row for \`${prefix}${key}\`, which ${type} has`),
      ...[...named].flatMap(([written, cells]) => {
        const key = written.startsWith(prefix) ? written.slice(prefix.length) : '';
        const row = `the row \`${written}\` ${below}`;
        if (!members.has(key)) return [`${row}: ${type} has no such member`];
        const right = needed?.get(key);
        const problems =
          right !== undefined && !namesIn(cells[1]).includes(right)
            ? [`${row}: the second column has to name the right \`${right}\``]
            : [];
        if (facts)
          problems.push(...differences([...membersOf(members.get(key)).keys()], namesIn(cells[2]), row));
        return problems;
      }),
    ];
  }
}

function differences(are: readonly string[], written: readonly string[], row: string): string[] {
  const lacks = are.filter((name) => !written.includes(name));
  const extra = written.filter((name) => !are.includes(name));
  return [
    ...lacks.map((name) => `${row}: the third column lacks \`${name}\``),
    ...extra.map((name) => `${row}: the third column names \`${name}\`, which the event does not carry`),
  ];
}

/** The cells of the first table after a heading, without the table's head. */
function rowsBelow(text: string, heading: string): string[][] {
  const [, section = ''] = `\n${text}`.split(`\n${heading}\n`);
  const [table = ''] = /^(\|.*\n?)+/m.exec(section.split(/^#/m)[0] ?? '') ?? [];
  return table
    .split('\n')
    .slice(2)
    .filter((line) => line !== '')
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** `call.warn(text)`, `schedule.every`: the names in code, without arguments. */
const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([\w.-]+)[^`]*`/g)].map(([, name = '']) => name);

/** Returns a function that finds the members of a type, named or inline; inherited ones included. */
function readTypes(files: readonly string[]) {
  const declared = new Map<string, (members: Members) => void>();
  for (const file of files) {
    const { program } = parseSync(file, readFileSync(file, 'utf8'));
    new Visitor({
      TSInterfaceDeclaration({ id, extends: above, body }) {
        declared.set(id.name, (members) => {
          for (const { expression, typeArguments } of above)
            collect(
              expression.type === 'Identifier' && !typeArguments ? expression.name : undefined,
              members,
            );
          take(body.body, members);
        });
      },
      TSTypeAliasDeclaration({ id, typeAnnotation }) {
        declared.set(id.name, (members) => collect(typeAnnotation, members));
      },
    }).visit(program);
  }

  function collect(type: string | TSType | undefined, members: Members): void {
    if (typeof type === 'string') {
      const declaration = declared.get(type);
      if (!declaration) throw new Error(`${TYPES}: there is no type ${type}`);
      declaration(members);
    } else if (type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier')
      collect(type.typeName.name, members);
    else if (type?.type === 'TSIntersectionType') for (const part of type.types) collect(part, members);
    else if (type?.type === 'TSTypeLiteral') take(type.members, members);
    else
      throw new Error(`${TYPES}: ${type?.type ?? 'what an interface extends'} cannot be read by this check`);
  }

  type Signatures = Extract<TSType, { type: 'TSTypeLiteral' }>['members'];
  function take(signatures: Signatures, members: Members): void {
    for (const signature of signatures) {
      if (signature.type !== 'TSPropertySignature' && signature.type !== 'TSMethodSignature') continue;
      const type =
        signature.type === 'TSPropertySignature' ? signature.typeAnnotation?.typeAnnotation : undefined;
      members.set(keyOf(signature.key), type);
    }
  }

  return (type: string | TSType | undefined): Members => {
    const members: Members = new Map();
    collect(type, members);
    return members;
  };
}

/** `{ name: 'right' }`, or `{ name: { …, read: 'right' } }`. */
function rightsIn(source: string, constant: string): Map<string, string> {
  const rights = new Map<string, string>();
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier' || id.name !== constant || init?.type !== 'ObjectExpression') return;
      for (const { key, value } of init.properties.filter(isProperty)) {
        const inner = value.type === 'ObjectExpression' ? value.properties.filter(isProperty) : [];
        const right = textOf(inner.find((one) => keyOf(one.key) === 'read')?.value ?? value);
        if (right !== undefined) rights.set(keyOf(key), right);
      }
    },
  }).visit(parseSync('source.ts', source).program);
  if (rights.size === 0) throw new Error(`there is no constant ${constant} that says who may read what`);
  return rights;
}

const isProperty = (one: { type: string }): one is ObjectProperty => one.type === 'Property';
const textOf = (node: Expression | PropertyKey): string | undefined =>
  node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
const keyOf = (key: PropertyKey): string => (key.type === 'Identifier' ? key.name : (textOf(key) ?? ''));
