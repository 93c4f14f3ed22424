import type { Scheduler } from '../description.ts';
/** Work that is due when the test says so. Nothing runs by itself. */
export declare function createManualSchedule({ onError }: {
    onError: (error: unknown) => void;
}): {
    schedule: Scheduler;
    advance: (ms: number) => Promise<void>;
};
