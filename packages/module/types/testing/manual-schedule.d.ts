import type { Scheduler } from '../description.ts';
/** Scheduled work that runs when the test says so, never by itself. */
export declare function createManualSchedule({ onError }: {
    onError: (error: unknown) => void;
}): {
    schedule: Scheduler;
    advance: (ms: number) => Promise<void>;
};
