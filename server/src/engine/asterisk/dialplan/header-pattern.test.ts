import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { realPart } from '../../../../test/real/require-real.ts';
import { readParserPattern } from '../../../lib/parser-pattern.ts';
import { readNumber } from './header-rule.ts';

/** `[[ =~ ]]` in bash uses the same `regcomp` and `regexec` of the C library as the engine. */
const findBash = (): boolean => spawnSync('bash', ['-c', '[[ x =~ (x) ]]']).status === 0;
const available = process.platform === 'linux' && realPart('bash', findBash());

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('1', 'a', 'x', '.', '\\d', '\\w', '@', ':', '-', ' ') },
  fc.constantFrom('\\D', '\\W', '\\s', '\\S', '\\+', '\\.', '\\[', '\\]', '\\(', '\\|', '\\{', '\\*'),
  fc.constantFrom('[0-9]', '[^@;>]', '[a-x]', '[^a]', '[\\d@-]', '[]', '[\\]]', '[\\^-]', '[^^]', '[\\w.-]'),
  fc.constantFrom('[[]', '[^\\[\\]]', '[-^]', '[!-~]', '[\\s\\d]', '[.:=]', '[\\[.:=]'),
);
const quantifier = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  fc.constantFrom(
    '*',
    '+',
    '?',
    '{0}',
    '{2}',
    '{1,3}',
    '{0,}',
    '{3,}',
    '{1,200}',
    '{0,255}',
    '{60}',
    '{250}',
  ),
);
const quantified = fc.tuple(piece, quantifier).map((parts) => parts.join(''));
const group = fc
  .tuple(fc.constantFrom('(', '(?:'), fc.array(quantified, { maxLength: 4 }))
  .map(([open, inner]) => `${open}${inner.join('')})`);
const source = fc
  .tuple(
    fc.constantFrom('', '', '^'),
    fc.array(fc.oneof({ weight: 4, arbitrary: quantified }, group), { minLength: 1, maxLength: 8 }),
    fc.constantFrom('', '', '$'),
  )
  .map(([start, inner, end]) => start + inner.join('') + end)
  .filter((text) => readParserPattern(text) !== undefined);

const rule = { source: 'from', customHeader: '', parserStart: '', parserEnd: '' };
const posixOf = (parserRegex: string): string => {
  const [, step = ''] = readNumber('X', { ...rule, parserRegex });
  return decodeURIComponent(/URIDECODE\(([^)]*)\)/.exec(step)?.[1] ?? '');
};

/** The C library's result for each pattern and text: 0 it matches, 1 it does not, 2 it is no pattern. */
function ask(patterns: readonly string[], texts: readonly string[], cpuSeconds: number) {
  const script = `
    ulimit -v 400000 -t ${cpuSeconds}
    while IFS= read -r re; do for text; do [[ $text =~ $re ]]; echo $?; done; done
    while read -r line; do [[ $line == VmHWM* ]] && echo "$line"; done < /proc/$$/status
    exit 0`;
  const { stdout, status } = spawnSync('bash', ['-c', script, 'bash', ...texts], {
    input: `${patterns.map(posixOf).join('\n')}\n`,
    env: { LC_ALL: 'C' },
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  const lines = stdout.trim().split('\n');
  const memoryMb = Number(/VmHWM:\s+(\d+) kB/.exec(lines.pop() ?? '')?.[1]) / 1024;
  const pairs = patterns.flatMap((pattern) => texts.map((text) => ({ pattern, text })));
  expect({ status, answers: lines.length }).toEqual({ status: 0, answers: pairs.length });
  return { answers: pairs.map((pair, i) => ({ ...pair, answer: Number(lines[i]) })), memoryMb };
}

describe.skipIf(!available)('contract 17.9: accepted patterns in the syntax of the engine', () => {
  test('match the same texts as in JavaScript', () => {
    const letters = fc.constantFrom('1', '2', 'a', 'x', '@', ':', '-', ' ', '^', '[', ']', '.', '+');
    const text = fc.array(letters, { maxLength: 12 }).map((signs) => signs.join(''));
    const patterns = fc.sample(source, { numRuns: 1000, seed: 17 });
    const { answers } = ask(patterns, fc.sample(text, { numRuns: 20, seed: 17 }), 120);
    const matches = (pattern: string, wanted: string) => (new RegExp(pattern).test(wanted) ? 0 : 1);
    const wrong = answers.filter((asked) => asked.answer !== matches(asked.pattern, asked.text));
    expect(wrong).toEqual([]);
    console.log(`${answers.length} times a pattern and a text: the engine's words say the same`);
  });

  test('cost the engine little, whatever the header contains', () => {
    const worst = ['a?a?a?a?.*.*b', '(.*)(.*)a', '(.{0,120})(.{0,120})x', '(.{0,250}).*x', '(((.*)))(.*)y'];
    const patterns = [...fc.sample(source, { numRuns: 300, seed: 9 }), ...worst];
    const hostile = ['1', 'a', '1@', 'x-:', ' 1+', '11111a'].map((text) => text.repeat(4095).slice(0, 4095));
    const { answers, memoryMb } = ask(patterns, hostile, 300);
    expect(answers.filter(({ answer }) => answer === 2)).toEqual([]);
    expect(memoryMb).toBeLessThan(100);
    console.log(`${answers.length} times a pattern and a 4 KB header: at most ${Math.round(memoryMb)} MB`);
  });
});
