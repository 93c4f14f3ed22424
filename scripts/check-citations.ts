// Every `contract 8.4` in code, tests and documents cites a section or a row that exists in docs/contract.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that are created at run time, or belong to npm. */
const notOurs = /(^|\/)(node_modules|data|coverage|\.git|\.cache)(\/|$)/;
const CONTRACT = 'docs/contract';
const WRITTEN = '**/*.{ts,js,mjs,md,conf,nft,sh}';

/** `8`, `8.4`; later numbers in a list might be ordinary ones, so only those below a hundred count. */
const FIRST = String.raw`\d+(?:\.\d+)*(?!\w)`;
const NUMBER = String.raw`\d{1,2}(?:\.\d+)*(?!\w|\.\d)`;
const CITATION = new RegExp(`\\bcontract (${FIRST}(?:(?:, | and | to | or )${NUMBER})*)`, 'gi');
/** Inside the contract, references are bare numbers; addresses and the like are in code or have more dots. */
const REFERENCE = /(?<![\w.:/–-])\d{1,2}\.\d{1,2}(?!\w|\.\d)/g;
/** A heading with a number, or a row that begins with a number of two parts. */
const DECLARED = new RegExp(`^(?:#+ (?=\\d)|\\| (?=\\d+\\.))(${NUMBER}) `, 'gm');

interface Checked {
  readonly citations: number;
  readonly problems: string[];
}

/** Checks the repository in `folder`; one sentence per problem. */
export function checkCitations(folder: string): Checked {
  const problems: string[] = [];
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const list = (pattern: string) =>
    globSync(pattern, { cwd: folder, exclude: (path) => notOurs.test(path) })
      .filter((path) => !notOurs.test(path))
      .sort();

  if (!existsSync(join(folder, CONTRACT))) return { citations: 0, problems: [`${CONTRACT} does not exist`] };
  const declared = new Map<string, string>();
  for (const path of list(`${CONTRACT}/*.md`)) {
    for (const [, number = ''] of proseOf(read(path)).matchAll(DECLARED)) {
      const known = declared.get(number);
      if (known) problems.push(`${path}: ${number} is in ${known} already`);
      declared.set(number, path);
    }
  }

  let citations = 0;
  const look = (path: string, number: string, written: string) => {
    if (!declared.has(number)) problems.push(`${path}: ${written} is not in ${CONTRACT}`);
  };
  for (const path of list(WRITTEN)) {
    for (const [, numbers = ''] of inOneLine(read(path)).matchAll(CITATION)) {
      for (const number of numbers.split(/, | and | to | or /)) {
        citations++;
        look(path, number, `contract ${number}`);
      }
    }
  }
  for (const path of list(`${CONTRACT}/*.md`)) {
    const prose = proseOf(read(path)).replace(/`[^`\n]*`|\]\([^)]*\)/g, '``');
    for (const [number] of prose.matchAll(REFERENCE)) look(path, number, number);
  }
  return { citations, problems: [...new Set(problems)] };
}

const proseOf = (text: string): string => text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, '');

/** A citation may be split over two lines of a comment. */
const inOneLine = (text: string): string => text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|#)?\s*/g, ' ');

if (import.meta.main) {
  const { citations, problems } = checkCitations(join(import.meta.dirname, '..'));
  for (const problem of problems) console.error(problem);
  console.log(`${citations} citations, ${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
