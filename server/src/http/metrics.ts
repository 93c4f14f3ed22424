import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Exchange } from './kernel.ts';

/** Counts and times every answer, and exposes the gauges and series of features. */
export function createMetrics({ gauges, series = [] }: MetricSources) {
  const registry = new Registry();
  // The default of ten times a second costs more than a percent of a core while idle.
  collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: 1000 });
  const requests = new Histogram({
    name: 'pbxcore_http_request_seconds',
    help: 'Time from the request to the answer, by declared route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  for (const { name, help, value } of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  }

  for (const { name, help, label, kind, values } of series) {
    const shared = { name, help, labelNames: [label], registers: [registry] };
    if (kind === 'counter')
      new Counter({
        ...shared,
        collect() {
          this.reset();
          for (const [subject, value] of values()) this.inc({ [label]: subject }, value);
        },
      });
    else
      new Gauge({
        ...shared,
        collect() {
          this.reset();
          for (const [subject, value] of values()) this.set({ [label]: subject }, value);
        },
      });
  }

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    /** Unmatched paths share one label, so that a scanner cannot fill the memory. */
    observe({ method, path, matched, status, durationMs }: Exchange): void {
      requests.observe(
        { method: matched ? method : 'any', route: matched ? path : 'none', status },
        durationMs / 1000,
      );
    },
  };
}

interface GaugeSource {
  readonly name: string;
  readonly help: string;
  readonly value: () => number;
}

/** One value per subject; subjects may come and go. */
export interface SeriesSource {
  readonly name: string;
  readonly help: string;
  readonly kind: 'gauge' | 'counter';
  readonly label: string;
  readonly values: () => Iterable<readonly [subject: string, value: number]>;
}

interface MetricSources {
  readonly gauges: readonly GaugeSource[];
  readonly series?: readonly SeriesSource[];
}
