import { type ComponentType, lazy } from 'react';
import { Failure } from '../ui/failure.tsx';

/** After the first screen has what it needs. */
const AHEAD_MS = 2000;

/** Loads what will be wanted: once here, it is there while the service does not answer, and after it was upgraded. */
export function loadAhead(load: () => Promise<unknown>): void {
  setTimeout(() => void load().catch(() => {}), AHEAD_MS);
}

/** A part of the frame that the first screen does not wait for. One that cannot be loaded says so. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  loadAhead(load);
  return lazy(async () => ({
    default: await load().catch(
      (error: unknown): ComponentType<Props> =>
        () => <Failure error={error} retry={() => location.reload()} />,
    ),
  }));
}
