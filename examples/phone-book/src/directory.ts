import type { Context, JsonObject } from '@pbxcore/module';
import { normaliseNumber } from './phone-number.js';

/** Looks up contacts by number. */
export function createDirectory(context: Context) {
  const { country_code = '49', trunk_prefix = '0', international_prefix = '00' } = context.settings;
  const rules = {
    countryCode: country_code,
    trunkPrefix: trunk_prefix,
    internationalPrefix: international_prefix,
  };
  const normalise = (written: string) => normaliseNumber(written, rules);

  /** The contact with this number, however it is written. */
  async function find(written: string): Promise<JsonObject | undefined> {
    const wanted = normalise(written);
    return wanted === undefined ? undefined : context.records('contacts').find('number', wanted);
  }

  return {
    normalise,
    find,
    /** As shown on a telephone. */
    async nameOf(written: string): Promise<string | undefined> {
      const found = await find(written);
      return found && [found.name, found.company].filter(Boolean).join(', ');
    },
  };
}

export type Directory = ReturnType<typeof createDirectory>;
