import { matching, type ReadSetting } from './lib/setting-values.ts';

/** How numbers are written here, and which ones belong to the exchange itself (contract 29.7). */
export interface NumberingConfig {
  /** `''`: unknown; numbers from outside are compared as they arrive. */
  readonly countryCode: string;
  /** `''`: none; national numbers are dialled in full. */
  readonly nationalPrefix: string;
  readonly internationalPrefix: string;
  readonly emergencyNumbers: readonly string[];
  /** By name; `''`: disabled. */
  readonly featureCodes: Readonly<Record<FeatureName, string>>;
}

const FEATURE_CODES = { night: '*28', 'queue-login': '*45', 'queue-pause': '*46' } as const;
type FeatureName = keyof typeof FEATURE_CODES;

export function readNumberingConfig(setting: ReadSetting, problems: string[]): NumberingConfig {
  const config: NumberingConfig = {
    countryCode: setting(
      'PBXCORE_COUNTRY_CODE',
      '',
      matching(/^[1-9]\d{0,3}$/),
      'must be 1..4 digits without +',
      '49',
    ),
    nationalPrefix: setting(
      'PBXCORE_NATIONAL_PREFIX',
      '0',
      nationalPrefix,
      'must be 1..4 digits, or none',
      '0',
    ),
    internationalPrefix: setting(
      'PBXCORE_INTERNATIONAL_PREFIX',
      '00',
      matching(/^\d{1,5}$/),
      'must be 1..5 digits',
      '00',
    ),
    emergencyNumbers: setting<readonly string[]>(
      'PBXCORE_EMERGENCY_NUMBERS',
      ['112', '911'],
      emergencyNumbers,
      'must be a comma-separated list of numbers of 2..6 digits, or none',
      '112,911',
    ),
    featureCodes: setting<NumberingConfig['featureCodes']>(
      'PBXCORE_FEATURE_CODES',
      FEATURE_CODES,
      featureCodes,
      `must be a comma-separated list of name=code with the names ${Object.keys(FEATURE_CODES).join(', ')}, and different codes of * # and digits`,
      CODES_EXAMPLE,
    ),
  };
  problems.push(...codesThatCutOff(config));
  return config;
}

const CODES_EXAMPLE = 'night=*28,queue-login=*45,queue-pause=*46';

/** Phones may dial on after a code: one that begins an emergency number hides it (contract 20.4, 23.10). */
function codesThatCutOff({ featureCodes, emergencyNumbers }: NumberingConfig): string[] {
  return Object.entries(featureCodes).flatMap(([name, code]) => {
    const lost = code === '' ? undefined : emergencyNumbers.find((number) => number.startsWith(code));
    if (lost === undefined) return [];
    const verb = lost === code ? 'is' : 'begins';
    return [
      `PBXCORE_FEATURE_CODES: ${name}=${code} ${verb} the emergency number ${lost} (PBXCORE_EMERGENCY_NUMBERS), ` +
        `which no phone could call any more, for example PBXCORE_FEATURE_CODES=${CODES_EXAMPLE}`,
    ];
  });
}

const nationalPrefix = (text: string): string | undefined =>
  text === 'none' ? '' : matching(/^\d{1,4}$/)(text);

function emergencyNumbers(text: string): readonly string[] | undefined {
  if (text === 'none') return [];
  const numbers = text.split(',').map((number) => number.trim());
  return numbers.every((number) => /^\d{2,6}$/.test(number)) ? [...new Set(numbers)] : undefined;
}

/** Features that are not named keep their codes. */
function featureCodes(text: string): NumberingConfig['featureCodes'] | undefined {
  const codes: Record<string, string> = { ...FEATURE_CODES };
  for (const entry of text.split(',')) {
    const [, name = '', code = ''] = /^\s*([a-z-]+)\s*=\s*([*#\d]{0,8})\s*$/.exec(entry) ?? [];
    if (!Object.hasOwn(FEATURE_CODES, name)) return undefined;
    codes[name] = code;
  }
  const used = Object.values(codes).filter((code) => code !== '');
  return new Set(used).size === used.length ? (codes as NumberingConfig['featureCodes']) : undefined;
}
