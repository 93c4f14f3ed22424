import type { CheckedManifest } from '../../../module-host/description/manifest.ts';
import { CommandFailed, printWarning } from '../../command.ts';
import type { ServiceCall } from '../../service-client.ts';
import { accepts, type ModuleCheck, openings } from '../consent.ts';
import { at, change, type ModuleRecord, restartModule } from '../installed-module.ts';

/** The operator did not accept what the module would do. */
export class NotAccepted extends CommandFailed {}

interface ReloaderParts {
  readonly call: ServiceCall;
  /** Accepts everything the module asks for. */
  readonly yes: boolean;
  readonly say: (line: string) => void;
}

/** Makes the service reload a module; asks before the module gets more rights than it had. */
export function createReloader({ call, yes, say }: ReloaderParts) {
  /** Openings that were accepted or shown. */
  let known: Set<string> | undefined;

  async function agree(check: ModuleCheck): Promise<void> {
    const isAccepted = await accepts(check, yes).catch((error: unknown) => {
      if (!(error instanceof CommandFailed)) throw error;
      throw new NotAccepted(error.message, error.remedy, error);
    });
    if (!isAccepted) throw new NotAccepted(`${check.id} is not enabled`);
    known = new Set([...(known ?? []), ...singleOpenings(check)]);
  }

  /** From the service's own check; resolves to what was accepted. */
  async function askForAll(id: string): Promise<ModuleCheck> {
    const { data: check } = await call<ModuleCheck>('POST', `${at(id)}:check`);
    await agree(check);
    return check;
  }

  async function askFor(
    manifest: CheckedManifest,
    { disabled }: ModuleRecord,
  ): Promise<ModuleCheck | undefined> {
    const rights = { ...manifest, endpoints: [] };
    const before = known;
    if (before) {
      if (singleOpenings(rights).some((one) => !before.has(one))) await agree(rights);
    } else if (disabled) return askForAll(manifest.id);
    return undefined;
  }

  async function start(
    { id }: CheckedManifest,
    before: ModuleRecord,
    agreed: ModuleCheck | undefined,
  ): Promise<readonly string[]> {
    let shown = agreed;
    if (!before.disabled) {
      const { data, warnings } = await restartModule(call, id);
      if (!data.disabled) return warnings;
      // It was enabled before this session, and asks for more than was accepted then.
      if (!known) shown = await askForAll(id);
    }
    return (await change(call, 'POST', `${at(id)}:enable`, shown && { shown })).warnings;
  }

  return {
    /** Rejects with `NotAccepted`, or with the reason why it does not run. */
    async reload(manifest: CheckedManifest, deliver: () => Promise<unknown>): Promise<ModuleRecord> {
      const { id } = manifest;
      // The service can only check a copy that it has; later copies are delivered only after they are accepted.
      const isFirst = known === undefined;
      if (isFirst) await deliver();
      const { data: before } = await call<ModuleRecord>('GET', at(id));
      const agreed = await askFor(manifest, before);
      if (!isFirst) await deliver();
      const warnings = await start(manifest, before, agreed);
      for (const warning of warnings) printWarning(warning);
      const { data } = await call<ModuleRecord>('GET', at(id));
      const told = known ?? new Set(singleOpenings({ ...manifest, endpoints: before.endpoints }));
      const open = singleOpenings(data);
      for (const one of open) if (!told.has(one)) say(one);
      known = new Set([...told, ...open]);
      return data;
    },
  };
}

/** One entry per opening: removing one needs no consent, and a new one is shown alone. */
function singleOpenings(check: ModuleCheck): string[] {
  let title = '';
  return openings(check).flatMap((line) => {
    if (line.startsWith('    ')) return [`${title} ${line.trim()}`];
    if (line.endsWith(':')) title = line;
    const [, what = '', list = ''] = /^(.*?: )(.*)$/.exec(line) ?? [];
    return list === '' ? [] : list.split(', ').map((item) => what + item);
  });
}
