import { readFields, SECRET_MASK } from '../../http/fields.ts';
import { InvalidFields } from '../../lib/errors.ts';
import type { CheckedManifest } from './manifest.ts';

type Values = Readonly<Record<string, unknown>>;

/** A change that the operator requests. */
export interface SettingChange {
  readonly settings?: Values | undefined;
  /** Names of settings to set back to their defaults. */
  readonly reset?: readonly string[] | undefined;
}

/** The values given to the module: those set, where still declared and valid, otherwise defaults. */
export function settingValues({ settings }: CheckedManifest, stored: Values): Values {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(settings.create)) {
    try {
      values[name] = stored[name] === undefined ? field.fallback?.() : field.read(stored[name]);
    } catch {
      values[name] = field.fallback?.();
    }
  }
  return values;
}

/** Only what is sent changes; a mask sent back leaves the secret as it is; what is reset gets its default again. */
export function changedSettings(
  { settings }: CheckedManifest,
  stored: Values,
  { settings: sent = {}, reset = [] }: SettingChange,
): Values {
  const kept = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== SECRET_MASK));
  const problems = Object.keys(kept)
    .filter((name) => !Object.hasOwn(settings.patch, name))
    .map((name) => `settings.${name.slice(0, 64)}: there is no such setting`);
  for (const name of reset)
    if (!Object.hasOwn(settings.patch, name))
      problems.push(`reset: there is no setting ${JSON.stringify(name.slice(0, 64))}`);
  let values: Values = {};
  try {
    values = readFields(settings.patch, kept).values;
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error;
    problems.push(...error.reasons.map((reason) => `settings.${reason}`));
  }
  if (problems.length > 0) throw new InvalidFields(problems);
  const changed = Object.entries({ ...stored, ...values });
  return Object.fromEntries(changed.filter(([name]) => !reset.includes(name)));
}

const isSecret = ({ settings }: CheckedManifest, name: string): boolean =>
  (settings.descriptions[name] as { secret?: unknown } | undefined)?.secret === true;

/** For code that nobody has accepted yet. */
export const withoutSecrets = (manifest: CheckedManifest, stored: Values): Values =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => !isSecret(manifest, name)));

export function shownSettings(manifest: CheckedManifest, stored: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settingValues(manifest, stored)).map(([name, value]) => [
      name,
      isSecret(manifest, name) && value !== undefined && value !== '' ? SECRET_MASK : (value ?? null),
    ]),
  );
}
