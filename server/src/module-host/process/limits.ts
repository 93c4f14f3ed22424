/** How much a module may use. Tests set lower limits. */
export interface ModuleLimits {
  /** From the moment its process is ready to load it until it has described itself and started. */
  readonly startMs: number;
  /** For its migration of data of an earlier version. */
  readonly migrateMs: number;
  /** For one call (contract 9.1). */
  readonly callMs: number;
  /** For the name of a caller: the telephone is ringing meanwhile, and a late name helps nobody. */
  readonly nameMs: number;
  /** How long a busy module may leave a ping unanswered: longer than this is an endless loop. */
  readonly stuckMs: number;
  /** For calls under way and `stop` of the module. With the rest of `:disable` it must stay below two seconds. */
  readonly stopMs: number;
  /** The same at the end of the service, which has ten seconds. */
  readonly closeMs: number;
  /** Of V8's heap. */
  readonly memoryMb: number;
  /** A process's own memory, buffers included, measured four times a second. */
  readonly totalMb: number;
  /** The system's hard limit between measurements, used or not. Node takes some 100 MB of it for threads. */
  readonly dataMb: number;
  /** Disk space for the file that `context.sql` opens. Its write-ahead log takes as much again. */
  readonly sqlMb: number;
  /** Space in the shared database: its records and values. */
  readonly keptMb: number;
  /** Calls under way or waiting, and the size of their data. */
  readonly pendingCalls: number;
  readonly pendingBytes: number;
  /** Its answers that are not sent yet. */
  readonly unreadBytes: number;
  /** This many crashes within the window disable the module. */
  readonly crashes: number;
  readonly crashWindowMs: number;
  /** How long a suspect is watched after its start before the next one begins. */
  readonly watchMs: number;
  /** Delay before the second and each later start within the window. */
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
