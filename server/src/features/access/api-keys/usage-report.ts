/** What is shown of a bouncer's last report (contract 36.4); `null` where the report has no such value. */
export interface Usage {
  readonly window_seconds: number | null;
  readonly dropped_packets: number | null;
  readonly dropped_bytes: number | null;
  readonly dropped_requests: number | null;
  readonly active_decisions: number | null;
}

/** Name and unit of a counter in a report. */
const COUNTERS: Readonly<Record<string, keyof Usage>> = {
  'dropped packet': 'dropped_packets',
  'dropped byte': 'dropped_bytes',
  'dropped request': 'dropped_requests',
  'active_decisions ip': 'active_decisions',
};

const NOTHING: Usage = {
  window_seconds: null,
  dropped_packets: null,
  dropped_bytes: null,
  dropped_requests: null,
  active_decisions: null,
};

/** Adds up the counters of a report. It comes from outside and may be anything: whatever is no counter is ignored. */
export function summarize(report: unknown): Usage {
  const sums: Record<keyof Usage, number | null> = { ...NOTHING };
  const metrics = listOf(report, 'remediation_components').flatMap((component) =>
    listOf(component, 'metrics'),
  );
  for (const metric of metrics) {
    const window = countOf(partOf(partOf(metric, 'meta'), 'window_size_seconds'));
    if (window !== undefined) sums.window_seconds = window;
    for (const item of listOf(metric, 'items')) {
      const counter = COUNTERS[`${String(partOf(item, 'name'))} ${String(partOf(item, 'unit'))}`];
      const value = countOf(partOf(item, 'value'));
      if (counter && value !== undefined) sums[counter] = capped((sums[counter] ?? 0) + value);
    }
  }
  return sums;
}

export const usageText = (report: unknown): string => JSON.stringify(summarize(report));

/** Reads a stored usage; `undefined` when there is none. */
export function parseUsage(stored: string | null): Usage | undefined {
  try {
    return stored === null ? undefined : { ...NOTHING, ...(JSON.parse(stored) as Partial<Usage>) };
  } catch {
    return undefined;
  }
}

function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function listOf(value: unknown, name: string): unknown[] {
  const list = partOf(value, name);
  return Array.isArray(list) ? list : [];
}

const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? capped(Math.floor(value)) : undefined;

const capped = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER);
