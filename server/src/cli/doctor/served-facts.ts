import type { Config } from '../../config.ts';
import type { NamedFinding } from '../../doctor/examination.ts';
import type { ExaminedFigures, ExaminedModule } from '../../doctor/modules.check.ts';
import { type ServiceCall, withRunningService } from '../service-client.ts';

interface ServiceInfo {
  readonly findings: readonly (Omit<NamedFinding, 'remedy'> & { readonly remedy: string | null })[];
}

/** Facts that only a running service has. */
export interface ServedFacts {
  /** Up to 15 seconds old (contract 35.2). */
  readonly findings: readonly NamedFinding[];
  /** Current: doctor is run again to see whether a remedy worked. */
  readonly modules: readonly ExaminedModule[];
}

/** Requested once for all checks that need it; `undefined` if no service runs or answers. */
export function createServedFacts(
  config: Config,
  isRunning: boolean,
): () => Promise<ServedFacts | undefined> {
  let asked: Promise<ServedFacts | undefined> | undefined;
  return () => {
    // The checks of service and database report why it does not answer.
    asked ??= isRunning ? withRunningService(config, ask).catch(() => undefined) : Promise.resolve(undefined);
    return asked;
  };
}

async function ask(call: ServiceCall): Promise<ServedFacts> {
  const [info, modules, figures] = await Promise.all([
    call<ServiceInfo>('GET', '/system:getInfo'),
    call<ExaminedModule[]>('GET', '/modules'),
    call<(ExaminedFigures & { readonly id: string })[]>('GET', '/modules:getFigures'),
  ]);
  const byId = new Map(figures.data.map((one) => [one.id, one]));
  return {
    findings: info.data.findings.map(({ remedy, ...finding }) =>
      remedy === null ? finding : { ...finding, remedy },
    ),
    modules: modules.data.map((module) => ({ ...module, figures: byId.get(module.id) })),
  };
}
