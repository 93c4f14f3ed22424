// What the checks need of a TypeScript file: its imports, and where it reads the environment or starts a shell.
import {
  type Argument,
  type Expression,
  type ImportDeclaration,
  type PropertyKey,
  parseSync,
  Visitor,
} from 'oxc-parser';

export type ImportedFile = { target: string; typeOnly: boolean; line: number };
type Note = { line: number; problem: string };
type Source = { imports: ImportedFile[]; environmentReads: number[]; notes: Note[] };

type Literal = Expression | Argument | PropertyKey | null | undefined;

/** The local names of imported things, with their original names. */
type Names = Map<string, string>;

/** The extension of `name` decides whether JSX is allowed. */
export function readSource(text: string, name = 'source.ts'): Source {
  const { program, errors } = parseSync(name, text, { sourceType: 'module' });
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const imports: ImportedFile[] = [];
  const environmentReads: number[] = [];
  const notes: Note[] = errors.map(({ message, labels }) => ({
    line: lineAt(labels[0]?.start ?? 0),
    problem: `cannot be read: ${message}`,
  }));
  const note = ({ start }: { start: number }, problem: string) =>
    notes.push({ line: lineAt(start), problem });
  const load = ({ start }: { start: number }, source: Literal, typeOnly = false) => {
    const target = textOf(source);
    if (target !== undefined) imports.push({ target, typeOnly, line: lineAt(start) });
    return { isChildProcess: isChildProcess(target) && !typeOnly };
  };

  /** Programs are started only by names imported one by one from child_process. */
  const starters: Names = new Map();
  const processes: Names = new Map([['process', 'default']]);
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') continue;
    const names = namesOf(statement);
    if (isChildProcess(statement.source.value)) for (const [local, name] of names) starters.set(local, name);
    if (!/^(node:)?process$/.test(statement.source.value)) continue;
    for (const [local, name] of names) {
      if (name === 'env') environmentReads.push(lineAt(statement.start));
      else if (name === 'default' || name === '*') processes.set(local, name);
    }
  }
  const isProcess = (object: Expression): boolean =>
    (object.type === 'Identifier' && processes.has(object.name)) ||
    (object.type === 'MemberExpression' && nameOf(object.property) === 'process');

  new Visitor({
    ImportDeclaration(node) {
      if (!load(node, node.source, node.importKind === 'type').isChildProcess) return;
      const names = [...namesOf(node).values()];
      if (names.some((name) => /^exec(Sync)?$/.test(name)))
        note(node, 'exec runs a shell: use spawn or execFile');
      else if (names.length === 0 || names.includes('*') || names.includes('default')) note(node, nameIt);
    },
    ExportNamedDeclaration(node) {
      if (load(node, node.source, node.exportKind === 'type').isChildProcess) note(node, nameIt);
    },
    ExportAllDeclaration(node) {
      if (load(node, node.source, node.exportKind === 'type').isChildProcess) note(node, nameIt);
    },
    ImportExpression(node) {
      if (load(node, node.source).isChildProcess) note(node, nameIt);
    },
    TSImportType(node) {
      load(node, node.source, true);
    },
    NewExpression({ start, callee, arguments: [target, base] }) {
      // The file of a worker: `new URL('./a.worker.ts', import.meta.url)`.
      const isHere = base?.type === 'MemberExpression' && base.object.type === 'MetaProperty';
      if (callee.type === 'Identifier' && callee.name === 'URL' && isHere) load({ start }, target);
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== 'Identifier') return;
      const [first] = node.arguments;
      if (callee.name === 'require' && load(node, first).isChildProcess) note(node, nameIt);
      const starter = starters.get(callee.name);
      if (starter && /^(.*\/)?(ba|da|z|k)?sh$/.test(textOf(first) ?? '')) note(node, 'starts a shell');
    },
    ObjectExpression({ properties }) {
      if (starters.size === 0) return;
      for (const property of properties) {
        if (property.type !== 'Property' || nameOf(property.key) !== 'shell') continue;
        const isOff = property.value.type === 'Literal' && property.value.value === false;
        if (!isOff) note(property, 'the shell option starts a shell');
      }
    },
    MemberExpression(node) {
      const name = node.computed ? textOf(node.property) : nameOf(node.property);
      if (name === 'env' && isProcess(node.object)) environmentReads.push(lineAt(node.start));
    },
    VariableDeclarator({ start, id, init }) {
      if (id.type !== 'ObjectPattern' || !init || !isProcess(init)) return;
      const names = id.properties.map((part) => (part.type === 'Property' ? nameOf(part.key) : 'env'));
      if (names.includes('env')) environmentReads.push(lineAt(start));
    },
  }).visit(program);
  return { imports, environmentReads, notes };
}

const nameIt = 'name what you take from child_process, so that it can be checked';
const isChildProcess = (target: string | undefined) => /^(node:)?child_process$/.test(target ?? '');

/** A literal string, in quotes or in backticks without placeholders. */
function textOf(node: Literal): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

const nameOf = (key: Literal) => (key?.type === 'Identifier' ? key.name : textOf(key));

function namesOf({ specifiers }: ImportDeclaration): Names {
  return new Map(
    specifiers.map((specifier) => {
      const { local } = specifier;
      if (specifier.type === 'ImportDefaultSpecifier') return [local.name, 'default'];
      if (specifier.type === 'ImportNamespaceSpecifier') return [local.name, '*'];
      return [local.name, nameOf(specifier.imported) ?? ''];
    }),
  );
}
