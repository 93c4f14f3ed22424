import { type ComponentType, useState } from 'react';
import { sayFailed } from '../ui/undo.tsx';
import { loadAhead } from './later.tsx';

const load = () => import('./palette.tsx');
loadAhead(load);

/** The palette, which the first screen does not need. */
export function usePalette() {
  const [Palette, setPalette] = useState<ComponentType>();

  async function open() {
    try {
      const palette = await load();
      setPalette(() => palette.Palette);
      palette.openPalette();
    } catch (error) {
      sayFailed(error);
    }
  }

  return { openPalette: () => void open(), palette: Palette && <Palette /> };
}
