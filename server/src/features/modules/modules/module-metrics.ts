import type { SeriesSource } from '../../../http/metrics.ts';
import type { ModuleFigures } from '../../../module-host/running/module-figures.ts';

/** The figures of modules for `/metrics`. Unknown values are left out. */
export function moduleMetrics(figures: () => readonly ModuleFigures[]): SeriesSource[] {
  const series = (
    kind: SeriesSource['kind'],
    name: string,
    help: string,
    value: (one: ModuleFigures) => number | undefined,
  ): SeriesSource => ({
    kind,
    name: `pbxcore_module_${name}`,
    help,
    label: 'module',
    values: () =>
      figures().flatMap((one) => {
        const known = value(one);
        return known === undefined ? [] : [[one.id, known] as const];
      }),
  });
  return [
    series('gauge', 'up', 'Whether the module runs', ({ isUp }) => Number(isUp)),
    series('counter', 'calls_total', 'Calls sent to the module', ({ calls }) => calls),
    series('counter', 'errors_total', 'Calls that it answered with 500 or 503', ({ errors }) => errors),
    series('counter', 'restarts_total', 'Starts after a crash', ({ restarts }) => restarts),
    series('counter', 'acts_total', 'What was done with calls at its order', ({ acts }) => acts),
    series('counter', 'cpu_seconds_total', 'CPU time of the module', ({ cpuSeconds }) => cpuSeconds),
    series('gauge', 'memory_bytes', 'Resident memory of the module', ({ memoryBytes }) => memoryBytes),
  ];
}
