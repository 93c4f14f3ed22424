/** How much a module may take. Tests make them smaller. */
export interface ModuleLimits {
  /** From when its process is ready to load it until it described itself and started. */
  readonly startMs: number;
  /** For its step that brings data of an earlier version into shape. */
  readonly migrateMs: number;
  /** For one call (contract 9.1). */
  readonly callMs: number;
  /** For the name of a caller: the telephone rings meanwhile, and later it would help nobody. */
  readonly nameMs: number;
  /** How long a busy module may leave a sign of life unanswered: longer than this is an endless loop. */
  readonly stuckMs: number;
  /** For calls under way and `stop` of the module. With the rest of `:disable` it has to stay below two seconds. */
  readonly stopMs: number;
  /** The same at the end of the service, which has ten seconds. */
  readonly closeMs: number;
  /** Of V8's heap. */
  readonly memoryMb: number;
  /** Of a process's own memory as a whole, buffers included, as it is seen four times a second. */
  readonly totalMb: number;
  /** What the system gives it at most in between, used or not. Node takes some 100 MB of it for threads. */
  readonly dataMb: number;
  /** Of disk, for the file that `context.sql` opens. What is written ahead of it takes as much again. */
  readonly sqlMb: number;
  /** Of the database that all share: its records and values. */
  readonly keptMb: number;
  /** Calls under way or waiting, and the size of what they carry. */
  readonly pendingCalls: number;
  readonly pendingBytes: number;
  /** Of its answers that are not sent yet. */
  readonly unreadBytes: number;
  /** So many crashes within the window disable the module. */
  readonly crashes: number;
  readonly crashWindowMs: number;
  /** So long a suspect is watched after its start, before the next one begins. */
  readonly watchMs: number;
  /** Waited before the second and each later start within the window. */
  readonly restartMs: number;
}

export const LIMITS: ModuleLimits = {
  startMs: 10_000,
  migrateMs: 600_000,
  callMs: 30_000,
  nameMs: 200,
  stuckMs: 10_000,
  stopMs: 1_500,
  closeMs: 5_000,
  memoryMb: 128,
  totalMb: 256,
  dataMb: 1_024,
  sqlMb: 256,
  keptMb: 512,
  pendingCalls: 1_000,
  pendingBytes: 32 * 1024 * 1024,
  unreadBytes: 64 * 1024 * 1024,
  crashes: 3,
  crashWindowMs: 300_000,
  watchMs: 5_000,
  restartMs: 1_000,
};
