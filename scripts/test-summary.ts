// The end of a test run in a few lines: what failed, how much ran, and which parts took the time.

type Tests = { passed: number; failed: number; skipped: number };
type TestFile = { name: string; project: string; ok: boolean; tests: Tests; seconds: number };

const SLOWEST = 8;

export function createTestSummary() {
  const files: TestFile[] = [];
  const failures: { name: string; message: string }[] = [];
  /** Begin and end of each project, by the clock of the run. */
  const projects = new Map<string, { from: number; to: number }>();

  return {
    begin(project: string, now: number): void {
      if (!projects.has(project)) projects.set(project, { from: now, to: now });
    },
    addFile(file: TestFile, now: number): void {
      files.push(file);
      const times = projects.get(file.project);
      if (times) times.to = now;
    },
    addFailure(name: string, message: string): void {
      failures.push({ name, message: message.split('\n', 1)[0] ?? '' });
    },
    lines(seconds: number): string[] {
      const sum = (kind: keyof Tests) => files.reduce((total, { tests }) => total + tests[kind], 0);
      const failed = files.filter(({ ok }) => !ok).length;
      const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
      return [
        '',
        ...failures.flatMap(({ name, message }) => [`FAIL ${name}`, `     ${message}`]),
        ...(failures.length > 0 ? [''] : []),
        ...(files.length > SLOWEST
          ? [
              'Slowest files:',
              ...slowest.map((file) => `${duration(file.seconds).padStart(12)}  ${file.name}`),
            ]
          : []),
        `Files:  ${files.length - failed} passed, ${failed} failed`,
        `Tests:  ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`,
        `Time:   ${duration(seconds)} (${[...projects]
          .map(([name, { from, to }]) => `${name} ${duration((to - from) / 1000)}`)
          .join(', ')})`,
      ];
    },
  };
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
