import { type Config, readConfig } from '../../config.ts';
import { shownText } from '../../lib/shown-text.ts';
import { LIMITS } from '../../module-host/process/limits.ts';
import { printWarning } from '../command.ts';
import { type ServiceCall, withService } from '../service-client.ts';
import { idOf } from './locate.ts';

export interface Endpoint {
  readonly verb: string;
  readonly path: string;
  readonly channels: readonly string[];
}

export interface ModuleRecord {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly developer: string;
  readonly description: string;
  readonly disabled: boolean;
  readonly disableReason: string;
  readonly disableReasonText: string;
  readonly endpoints: readonly Endpoint[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly acts: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly broken?: { readonly reason: string; readonly enabled: boolean };
}

/** Its API path. */
export const at = (id: string): string => `/modules/${encodeURIComponent(id)}`;

/** The longest start, including migration and what surrounds it. */
const MIGRATION_PATIENCE_MS = LIMITS.migrateMs + 60_000;

/** For calls that start a module or wait for another start: it may migrate. */
export const change = (
  call: ServiceCall,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): ReturnType<typeof call<ModuleRecord>> => call<ModuleRecord>(method, path, body, MIGRATION_PATIENCE_MS);

/** Restarts from the current files. Afterwards it is disabled if they would do more than was accepted. */
export const restartModule = (call: ServiceCall, id: string) => change(call, 'POST', `${at(id)}:restart`);

/** In one line: the reason may be the module's own text. */
export const stateOf = (module: ModuleRecord): string => shownText(wholeState(module), 1000);

const wholeState = ({ disabled, disableReason, disableReasonText, broken }: ModuleRecord): string => {
  if (broken) return `broken${broken.enabled ? ' (enabled)' : ''}: ${broken.reason}`;
  if (!disabled) return 'enabled';
  const reason = disableReasonText || (disableReason === 'DisabledByUser' ? '' : disableReason);
  return reason ? `disabled: ${reason}` : 'disabled';
};

export const endpointLine = ({ verb, path, channels }: Endpoint): string =>
  `${verb} ${path} (${channels.join(', ')})`;

/** Acts on one module and prints its new state. */
export async function act(
  given: string,
  words: (module: ModuleRecord) => string,
  work: (call: ServiceCall, id: string, config: Config) => Promise<{ warnings: readonly string[] }>,
): Promise<number> {
  const config = readConfig();
  const id = await idOf(config, given);
  await withService(config, async (call) => {
    const { warnings } = await work(call, id, config);
    for (const warning of warnings) printWarning(warning);
    const { data } = await call<ModuleRecord>('GET', at(id));
    console.log(words(data));
  });
  return 0;
}
