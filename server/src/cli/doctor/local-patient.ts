import type { Patient } from '../../doctor/finding.ts';
import type { RunningService } from '../../service-file.ts';
import type { ServedFacts } from './served-facts.ts';

/** An installation as seen on its machine, whether its service runs or not. */
export interface LocalPatient extends Patient {
  readonly running: RunningService | undefined;
  /** `undefined` if no service runs or answers. */
  readonly served: () => Promise<ServedFacts | undefined>;
}
