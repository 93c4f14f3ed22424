import { type ComponentType, lazy } from 'react';
import { Failure } from '../ui/failure.tsx';

/** Until the first screen has what it needs. */
const AHEAD_MS = 2000;

/** Loads code in advance: it is then available even if the service does not answer, or was upgraded. */
export function loadAhead(load: () => Promise<unknown>): void {
  setTimeout(() => void load().catch(() => {}), AHEAD_MS);
}

/** A part of the frame that the first screen does not wait for. Shows an error if it cannot be loaded. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  loadAhead(load);
  return lazy(async () => ({
    default: await load().catch(
      (error: unknown): ComponentType<Props> =>
        () => <Failure error={error} retry={() => location.reload()} />,
    ),
  }));
}
