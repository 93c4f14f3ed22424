import type { CallCounts } from '@pbxcore/client';
import type { BarSeries } from '../../../ui/stacked-bars.tsx';

type Colours = BarSeries['colours'];

interface Outcome {
  readonly id: Exclude<keyof CallCounts, 'at'>;
  readonly disposition: string;
  readonly colours: Colours;
}

/** Outcomes of calls, from the bottom of a bar up; each with a colour for the light and the dark scheme. */
export const OUTCOMES: readonly Outcome[] = [
  { id: 'answered', disposition: 'ANSWERED', colours: ['#2f8f66', '#46b98a'] },
  { id: 'noAnswer', disposition: 'NO ANSWER', colours: ['#d08700', '#f0a63c'] },
  { id: 'busy', disposition: 'BUSY', colours: ['#1c6fb8', '#5aa7e8'] },
  { id: 'failed', disposition: 'FAILED', colours: ['#b3261e', '#ff8a80'] },
  { id: 'chanunavail', disposition: 'CHANUNAVAIL', colours: ['#6b7773', '#98a5a0'] },
];

export const callsOf = (counts: CallCounts): number => OUTCOMES.reduce((sum, { id }) => sum + counts[id], 0);

export const seriesOf = (counts: readonly CallCounts[]): BarSeries[] =>
  OUTCOMES.map(({ id, colours }) => ({ label: id, colours, values: counts.map((count) => count[id]) }));

/** The colour sample in a legend. */
export const Swatch = ({ colours: [light, dark] }: { readonly colours: Colours }) => (
  <span
    style={{ flex: 'none', width: 10, height: 10, background: `light-dark(${light}, ${dark})` }}
    aria-hidden
  />
);
