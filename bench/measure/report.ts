import { cpus, totalmem } from 'node:os';
import { pinned } from '../service/processes.ts';

export interface Row {
  readonly what: string;
  readonly unit: 'ms' | '%' | 'MB' | 'kB' | '';
  readonly measured: number;
  readonly floor?: number;
  readonly peer?: number;
  /** `measured` relative to the floor, or to what `what` names. */
  readonly ratio?: number;
  readonly target?: { readonly text: string; readonly met: boolean };
}

export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Cores that other processes kept busy during the measurement. */
  readonly foreign: number;
}

export const atMost = (value: number, limit: number, text = `<= ${limit}`) => ({ text, met: value <= limit });

export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ??
  Number.NaN;
export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function machineFacts(): string {
  const cores = cpus();
  const model = cores[0]?.model.trim();
  const memory = Math.round(totalmem() / 2 ** 30);
  const cpu = `${cores.length} x ${process.arch}${model && model !== 'unknown' ? ` (${model})` : ''}`;
  const place = pinned ? 'servers on core 1, clients and Redis on core 0' : 'NOT pinned: all share the cores';
  return `${cpu}, ${memory} GB, ${process.platform}, Node ${process.version}; ${place}`;
}

const HEADINGS = ['', 'measured', 'floor', 'peer', 'ratio', 'target', 'verdict'];

export function printTable({ title, rows, foreign }: Table): void {
  const cells = [HEADINGS, ...rows.map(rowCells)];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  console.log(`\n${title}   [other processes: ${foreign.toFixed(2)} cores]`);
  for (const row of cells) {
    const padded = row.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    console.log(`  ${padded.join('  ')}`);
  }
}

function rowCells({ what, unit, measured, floor, peer, ratio, target }: Row): string[] {
  const verdict = target ? (target.met ? 'met' : 'NOT MET') : '';
  const shown = [measured, floor, peer].map((value) => (value === undefined ? '' : number(value)));
  const [first = '', ...others] = shown;
  return [what, `${first} ${unit}`.trim(), ...others, ratio?.toFixed(2) ?? '', target?.text ?? '', verdict];
}

const number = (value: number): string =>
  value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(value < 1 ? 3 : 2);
