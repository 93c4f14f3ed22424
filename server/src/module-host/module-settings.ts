import { readFields, SECRET_MASK } from '../http/fields.ts';
import { InvalidFields } from '../lib/errors.ts';
import type { CheckedManifest } from './manifest.ts';

type Values = Readonly<Record<string, unknown>>;

/** What the module is given: what was set, as far as it is still declared and right, and defaults. */
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

/** Only what is sent changes; a mask sent back leaves the secret as it is. */
export function changedSettings({ settings }: CheckedManifest, stored: Values, sent: Values): Values {
  const kept = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== SECRET_MASK));
  const problems = Object.keys(kept)
    .filter((name) => !Object.hasOwn(settings.patch, name))
    .map((name) => `${name.slice(0, 64)}: there is no such setting`);
  let values: Values = {};
  try {
    values = readFields(settings.patch, kept).values;
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error;
    problems.push(...error.reasons);
  }
  if (problems.length > 0) throw new InvalidFields(problems.map((problem) => `settings.${problem}`));
  return { ...stored, ...values };
}

export function shownSettings(manifest: CheckedManifest, stored: Values): Record<string, unknown> {
  const isSecret = (name: string) =>
    (manifest.settings.descriptions[name] as { secret?: unknown } | undefined)?.secret === true;
  return Object.fromEntries(
    Object.entries(settingValues(manifest, stored)).map(([name, value]) => [
      name,
      isSecret(name) && value !== undefined && value !== '' ? SECRET_MASK : (value ?? null),
    ]),
  );
}
