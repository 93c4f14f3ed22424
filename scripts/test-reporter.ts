// The output of `npm test`: a line per finished file with the progress, failures at once and in full, then a summary.
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';
import { createTestSummary } from './test-summary.ts';

const oneLine = (title: string) => title.replaceAll(/\s+/g, ' ');

type Output = { print: (line: string) => void; now: () => number };

export function createTestReporter({
  print = console.log,
  now = () => performance.now(),
}: Partial<Output> = {}) {
  let vitest: Vitest;
  let files = 0;
  let finished = 0;
  let begun = 0;
  let summary = createTestSummary();
  const said = new Set<string>();

  const place = ({ project, relativeModuleId }: TestModule) => `${project.name} ${relativeModuleId}`;
  const fail = (module: TestModule, title: string, errors: readonly Pick<SerializedError, 'message'>[]) => {
    const name = title ? `${place(module)} > ${oneLine(title)}` : place(module);
    print(`FAIL ${name}`);
    for (const error of errors)
      print(vitest.logger.formatError(error, { project: module.project, showCodeFrame: true }).output);
    summary.addFailure(name, errors[0]?.message ?? '');
  };

  return {
    onInit(context) {
      vitest = context;
    },
    onTestRunStart(specifications) {
      [files, finished, begun, summary] = [specifications.length, 0, now(), createTestSummary()];
      said.clear();
    },
    onTestModuleQueued({ project }) {
      summary.begin(project.name, now());
    },
    // A test prints a count of interest, or why it is skipped. Many print the same reason.
    onUserConsoleLog({ content }) {
      for (const line of content.trimEnd().split('\n')) {
        if (!said.has(line)) print(`          ${line}`);
        said.add(line);
      }
    },
    onTestCaseResult(test: TestCase) {
      const { state, errors } = test.result();
      if (state === 'failed') fail(test.module, test.fullName, errors ?? []);
      // With a single file, every test is shown.
      else if (files === 1) print(`  ${state === 'passed' ? '✓' : '-'} ${oneLine(test.fullName)}`);
    },
    onTestSuiteResult(suite: TestSuite) {
      if (suite.errors().length > 0) fail(suite.module, suite.fullName, suite.errors());
    },
    onTestModuleEnd(module) {
      if (module.errors().length > 0) fail(module, '', module.errors());
      // Without the start of the process, which files may share.
      const { duration, collectDuration, setupDuration } = module.diagnostic();
      const seconds = (duration + collectDuration + setupDuration) / 1000;
      const tests = { passed: 0, failed: 0, skipped: 0 };
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') tests[state]++;
      }
      summary.addFile(
        { name: place(module), project: module.project.name, ok: module.ok(), tests, seconds },
        now(),
      );
      finished++;
      const count = `[${String(finished).padStart(String(files).length)}/${files}]`;
      const outcome = [
        `${tests.passed} passed`,
        ...(tests.failed > 0 ? [`${tests.failed} FAILED`] : []),
        ...(tests.skipped > 0 ? [`${tests.skipped} skipped`] : []),
      ].join(', ');
      print(`${count} ${module.ok() ? '' : 'FAIL '}${place(module)}: ${outcome}, ${seconds.toFixed(1)} s`);
    },
    onTestRunEnd(_, unhandled, reason) {
      if (unhandled.length > 0) vitest.logger.printUnhandledErrors(unhandled);
      for (const { message } of unhandled) summary.addFailure('outside of any test', message);
      for (const line of summary.lines((now() - begun) / 1000)) print(line);
      if (reason === 'interrupted') print(`Interrupted after ${finished} of ${files} files.`);
    },
  } satisfies Reporter;
}
