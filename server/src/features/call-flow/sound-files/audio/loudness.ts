const BLOCK_SAMPLES = 800;
const decibels = (value: number): number => 10 ** (value / 20);

/** Contract 24.5; full scale is 1. */
const WANTED = decibels(-20);
const MOST_GAIN = decibels(12);
const HIGHEST_PEAK = decibels(-1);
/** The highest positive 16-bit sample. */
const TOP = 32_767 / 32_768;

/** Factor for every sample, at each rate. */
interface Gains {
  readonly wide: number;
  readonly narrow: number;
}

/** Measures a sound before it is written, to determine its gain. */
export function createLoudness() {
  const peaks = { wide: createPeaks(), narrow: createPeaks() };
  /** Mean energy of each twentieth of a second at 16 kHz. */
  const energies: number[] = [];
  let energy = 0;
  let count = 0;

  /** RMS of the louder half: pauses between words do not count. */
  function loudness(): number {
    const sorted = Float64Array.from(count > 0 ? [...energies, energy / count] : energies).sort();
    const louder = sorted.subarray(Math.floor(sorted.length / 2));
    return Math.sqrt(louder.reduce((sum, value) => sum + value, 0) / louder.length);
  }

  return {
    /** The sound at 16 kHz. */
    wide(samples: Float32Array): void {
      peaks.wide.listen(samples);
      for (const sample of samples) {
        energy += sample * sample;
        if (++count < BLOCK_SAMPLES) continue;
        energies.push(energy / count);
        energy = count = 0;
      }
    },
    /** At 8 kHz, where it may have other peaks. */
    narrow: peaks.narrow.listen,
    /** Contract 24.5. */
    gains(normalize: boolean): Gains {
      if (!normalize) return { wide: peaks.wide.room(), narrow: peaks.narrow.room() };
      const highest = Math.max(peaks.wide.highest(), peaks.narrow.highest());
      const gain = Math.min(WANTED / loudness(), MOST_GAIN, HIGHEST_PEAK / highest);
      return { wide: gain, narrow: gain };
    },
  };
}

function createPeaks() {
  let highest = 0;
  let lowest = 0;
  return {
    listen(samples: Float32Array): void {
      for (const sample of samples) {
        if (sample > highest) highest = sample;
        else if (sample < lowest) lowest = sample;
      }
    },
    highest: (): number => Math.max(highest, -lowest),
    /** 1, or less if samples would clip: filters overshoot, and floats may go beyond full scale. */
    room: (): number => 1 / Math.max(1, highest / TOP, -lowest),
  };
}
