import { expect, test } from 'vitest';
import { type StoredOverride, withOverride } from './overrides.ts';

const made = (
  mode: StoredOverride['mode'],
  routeIds: number[],
  fields: Partial<StoredOverride> = {},
): StoredOverride => ({
  mode,
  until: 0,
  ruleId: 0,
  routeIds,
  since: 1000,
  ...fields,
});
const story = (...calls: StoredOverride[]) =>
  calls
    .reduce<StoredOverride[]>((list, one) => withOverride(list, one), [])
    .map(({ mode, routeIds }) => `${mode} ${routeIds.join('+')}`.trim());

test.each<[string, StoredOverride[], string[]]>([
  ['the later one for all replaces all', [made('closed', [5]), made('open', [])], ['open']],
  ['auto for all ends all', [made('closed', []), made('open', [5]), made('auto', [])], []],
  [
    'one for a route takes it out of those that name it',
    [made('closed', [5, 7]), made('open', [5])],
    ['closed 7', 'open 5'],
  ],
  ['one for all stays beneath', [made('closed', []), made('open', [5])], ['closed', 'open 5']],
  [
    'auto for a route is kept while one for all is beneath',
    [made('closed', []), made('auto', [5])],
    ['closed', 'auto 5'],
  ],
  ['auto for a route needs no trace without', [made('closed', [5, 7]), made('auto', [5])], ['closed 7']],
  ['what has ended goes', [made('closed', [5], { until: 900 }), made('open', [7])], ['open 7']],
])('overrides by the switch: %s', (_, calls, expected) => expect(story(...calls)).toEqual(expected));
