import { expect, test } from 'vitest';
import type { TestCase, TestModule, TestSpecification, TestSuite, Vitest } from 'vitest/node';
import { createTestReporter } from './test-reporter.ts';

type State = 'passed' | 'failed' | 'skipped';
const project = { name: 'fast' };

function makeModule(name: string, states: Record<string, State>, errors: { message: string }[] = []) {
  const module = {
    project,
    relativeModuleId: name,
    errors: () => errors,
    ok: () => errors.length === 0 && !Object.values(states).includes('failed'),
    diagnostic: () => ({ duration: 1500, collectDuration: 500, setupDuration: 0 }),
    children: { allTests: () => tests },
  };
  const tests = Object.entries(states).map(([fullName, state]) => ({
    module,
    fullName,
    result: () => ({ state, errors: state === 'failed' ? [{ message: 'expected 1\nto be 2' }] : undefined }),
  }));
  return { module: module as unknown as TestModule, tests: tests as unknown as TestCase[] };
}

function run(files: ReturnType<typeof makeModule>[]): string[] {
  const printed: string[] = [];
  let time = 0;
  const reporter = createTestReporter({ print: (line) => printed.push(line), now: () => (time += 1000) });
  const formatError = ({ message }: Error) => ({ output: `full: ${message}` });
  reporter.onInit({ logger: { formatError } } as unknown as Vitest);
  reporter.onTestRunStart(files.map(({ module }) => module) as unknown as TestSpecification[]);
  for (const { module, tests } of files) {
    reporter.onTestModuleQueued(module);
    for (const each of tests) reporter.onTestCaseResult(each);
    reporter.onTestModuleEnd(module);
  }
  reporter.onTestRunEnd([], [], 'passed');
  return printed;
}

test('each finished file is one line that says how far the run is', () => {
  const files = [makeModule('a.test.ts', { one: 'passed', two: 'skipped' }), makeModule('b.test.ts', {})];
  expect(run(files).slice(0, 2)).toEqual([
    '[1/2] fast a.test.ts: 1 passed, 1 skipped, 2.0 s',
    '[2/2] fast b.test.ts: 0 passed, 2.0 s',
  ]);
});

test('a failure is shown at once in full, and its first line again at the end', () => {
  const printed = run([
    makeModule('a.test.ts', { 'the sun > shines': 'failed' }),
    makeModule('b.test.ts', {}, [{ message: 'no such file' }]),
  ]);
  expect(printed).toEqual([
    'FAIL fast a.test.ts > the sun > shines',
    'full: expected 1\nto be 2',
    '[1/2] FAIL fast a.test.ts: 0 passed, 1 FAILED, 2.0 s',
    'FAIL fast b.test.ts',
    'full: no such file',
    '[2/2] FAIL fast b.test.ts: 0 passed, 2.0 s',
    '',
    'FAIL fast a.test.ts > the sun > shines',
    '     expected 1',
    'FAIL fast b.test.ts',
    '     no such file',
    '',
    'Files:  0 passed, 2 failed',
    'Tests:  0 passed, 1 failed, 0 skipped',
    'Time:   5.0 s (fast 3.0 s)',
  ]);
});

test('a hook that fails is reported with its suite', () => {
  const printed: string[] = [];
  const reporter = createTestReporter({ print: (line) => printed.push(line) });
  reporter.onInit({ logger: { formatError: () => ({ output: 'full' }) } } as unknown as Vitest);
  const { module } = makeModule('a.test.ts', {});
  reporter.onTestSuiteResult({
    module,
    fullName: 'the sun',
    errors: () => [{ message: 'x' }],
  } as unknown as TestSuite);
  expect(printed).toEqual(['FAIL fast a.test.ts > the sun', 'full']);
});

test('the output of tests is shown, and a repeated line only once', () => {
  const printed: string[] = [];
  const reporter = createTestReporter({ print: (line) => printed.push(line) });
  for (const content of ['400 routes\n', 'Redis is not installed\n', 'Redis is not installed\n'])
    reporter.onUserConsoleLog({ content, type: 'stdout', time: 0, size: 0 });
  expect(printed.map((line) => line.trim())).toEqual(['400 routes', 'Redis is not installed']);
});

test('the titles of a single file are listed, and of many files the slowest are named', () => {
  const one = run([makeModule('a.test.ts', { 'the sun\n  shines': 'passed', 'it rains': 'skipped' })]);
  expect(one.slice(0, 2)).toEqual(['  ✓ the sun shines', '  - it rains']);
  const many = run(Array.from({ length: 9 }, (_, i) => makeModule(`${i}.test.ts`, {})));
  expect(many).toContain('Slowest files:');
});
