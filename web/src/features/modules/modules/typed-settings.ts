import type { Module } from '@pbxcore/client';
import { type Draft, draftOf } from './setting-values.ts';

type Settings = Module['settings'];
type ModuleOfSettings = Pick<Module, 'settings' | 'settingFields'>;

/** Typed values, each with the stored value from when typing began. */
export type TypedSettings = Readonly<
  Record<string, { readonly value: Draft[string]; readonly over: Settings[string] }>
>;

/** A value equal to the stored one is not a change, nor is an emptied secret. */
export function withTyped(
  typed: TypedSettings,
  name: string,
  value: Draft[string],
  { settings, settingFields }: ModuleOfSettings,
): TypedSettings {
  const over = typed[name] ? typed[name].over : settings[name];
  const field = settingFields[name];
  const stored = draftOfOne(name, over, settingFields);
  if (value === stored || (field?.secret && value === '')) return without(typed, [name]);
  return { ...typed, [name]: { value, over } };
}

export function without(typed: TypedSettings, names: readonly string[]): TypedSettings {
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !names.includes(name)));
}

/** Values typed during saving are not stored by it, not even if they equal the previous value. */
export function afterSaving(
  now: TypedSettings,
  sent: TypedSettings,
  { settings, settingFields }: ModuleOfSettings,
): TypedSettings {
  const back = Object.entries(sent).flatMap(([name, { over }]) => {
    const value = draftOfOne(name, over, settingFields);
    const isBack = !now[name] && value !== undefined && !settingFields[name]?.secret;
    return isBack ? [[name, { value, over }] as const] : [];
  });
  const later = Object.entries(now).filter(([name, { value }]) => value !== sent[name]?.value);
  return overStored(Object.fromEntries([...later, ...back]), settings);
}

/** Typed values win over values stored meanwhile. */
export const overStored = (typed: TypedSettings, settings: Settings): TypedSettings =>
  Object.fromEntries(
    Object.entries(typed).map(([name, { value }]) => [name, { value, over: settings[name] }]),
  );

function draftOfOne(name: string, value: Settings[string], fields: Module['settingFields']) {
  const field = fields[name];
  return field && draftOf({ [name]: field }, { [name]: value })[name];
}

/** Settings that somebody else changed meanwhile. */
export const disputedOf = (typed: TypedSettings, settings: Settings): string[] =>
  Object.keys(typed).filter((name) => JSON.stringify(settings[name]) !== JSON.stringify(typed[name]?.over));

export const valuesOf = (typed: TypedSettings): Draft =>
  Object.fromEntries(Object.entries(typed).map(([name, { value }]) => [name, value]));
