/** The values of the rules, named as in requests. */
export interface RuleValues {
  readonly maxretry: number | string;
  readonly findtime: number | string;
  readonly bantime: number | string;
  readonly whitelist: string;
  readonly PBXFirewallMaxReqSec: string;
}

/** From patient to strict: fewer failures, remembered longer, cause a longer ban. The service starts with `weak`. */
export const PRESETS = {
  weak: { maxretry: 20, findtime: 600, bantime: 600 },
  normal: { maxretry: 10, findtime: 3600, bantime: 86_400 },
  strict: { maxretry: 5, findtime: 21_600, bantime: 604_800 },
  paranoid: { maxretry: 3, findtime: 86_400, bantime: 2_592_000 },
} as const;

export type PresetName = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as PresetName[];

export function presetOf(values: RuleValues): PresetName | 'own' {
  const isLike = (name: PresetName) =>
    (['maxretry', 'findtime', 'bantime'] as const).every(
      (field) => PRESETS[name][field] === Number(values[field]),
    );
  return PRESET_NAMES.find(isLike) ?? 'own';
}
