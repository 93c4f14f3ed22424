/** How much a module may take. Tests make them smaller. */
export interface ModuleLimits {
  /** From the worker's start until it described itself. */
  readonly startMs: number;
  /** For one call (contract 9.1). */
  readonly callMs: number;
  /** How long a busy worker may leave a sign of life unanswered: longer than this is an endless loop. */
  readonly stuckMs: number;
  /** For `stop` of the module. */
  readonly stopMs: number;
  readonly memoryMb: number;
  /** Calls under way or waiting, and the size of what they carry. */
  readonly pendingCalls: number;
  readonly pendingBytes: number;
  /** So many crashes within the window disable the module. */
  readonly crashes: number;
  readonly crashWindowMs: number;
  /** Waited before the second and each later start within the window. */
  readonly restartMs: number;
}

export const LIMITS: ModuleLimits = {
  startMs: 10_000,
  callMs: 30_000,
  stuckMs: 10_000,
  stopMs: 5_000,
  memoryMb: 128,
  pendingCalls: 1_000,
  pendingBytes: 32 * 1024 * 1024,
  crashes: 3,
  crashWindowMs: 300_000,
  restartMs: 1_000,
};

export const MAX_MANIFEST_BYTES = 64 * 1024;
export const MAX_FOLDER_BYTES = 64 * 1024 * 1024;
export const MAX_FOLDER_FILES = 5_000;
export const MAX_FOLDER_DEPTH = 16;
/** Of what a module says about itself, as JSON. */
export const MAX_DESCRIPTION_BYTES = 256 * 1024;
export const MAX_RESULT_BYTES = 4 * 1024 * 1024;
export const MAX_VALUE_BYTES = 256 * 1024;
