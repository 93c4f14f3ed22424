import type { Patient } from '../../doctor/finding.ts';
import type { RunningService } from '../../service-file.ts';

/** An installation seen from its machine, whether its service runs or not. */
export interface LocalPatient extends Patient {
  readonly running: RunningService | undefined;
}
