import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGE_ADDRESSES } from '../server/src/features/system/page/page.routes.ts';
import { LANGUAGES, placeholdersOf, textsOf, usedKeys, withoutPlural } from './page-texts.ts';
import { root } from './run-command.ts';

const texts = new Map(LANGUAGES.map((language) => [language, textsOf(language)]));
const english = texts.get('en') as Map<string, string>;
const names = new Set([...english.keys()].map(withoutPlural));

test.each(LANGUAGES)(
  'the texts of the page in %s have all keys of English, and none is empty',
  (language) => {
    const own = texts.get(language) as Map<string, string>;
    expect([...new Set([...own.keys()].map(withoutPlural))].sort()).toEqual([...names].sort());
    expect([...own].filter(([, text]) => text.trim() === '')).toEqual([]);
    console.log(`${own.size} texts in ${language}`);
  },
);

test.each(LANGUAGES)('the texts in %s have every plural form of the language', (language) => {
  const own = texts.get(language) as Map<string, string>;
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const counted = [...own.keys()].filter((key) => withoutPlural(key) !== key).map(withoutPlural);
  const missing = [...new Set(counted)].flatMap((key) =>
    forms.map((form) => `${key}_${form}`).filter((wanted) => !own.has(wanted)),
  );
  expect(missing).toEqual([]);
});

test('a text has the same placeholders in every language; only a plural form may omit some', () => {
  const given = Map.groupBy(english, ([key]) => withoutPlural(key));
  const differing = LANGUAGES.flatMap((language) =>
    [...(texts.get(language) as Map<string, string>)].flatMap(([key, text]) => {
      const forms = given.get(withoutPlural(key)) ?? [];
      const model = placeholdersOf(forms.map(([, form]) => form).join(' '));
      const own = placeholdersOf(text);
      const isRight =
        withoutPlural(key) === key
          ? own.join() === model.join()
          : own.every((placeholder) => model.includes(placeholder));
      return isRight ? [] : `${language}: ${key}`;
    }),
  );
  expect(differing).toEqual([]);
});

test('every key in the code has a text, and every text is used', () => {
  const prefixes = [...new Set([...names].map((name) => name.split('.')[0] as string))];
  const { keys, patterns } = usedKeys(prefixes);
  expect([...keys].filter((key) => !names.has(key))).toEqual([]);
  const isUsed = (name: string) => keys.has(name) || patterns.some((pattern) => pattern.test(name));
  expect([...names].filter((name) => !isUsed(name))).toEqual([]);
  expect(patterns.filter((pattern) => ![...names].some((name) => pattern.test(name)))).toEqual([]);
  console.log(`${keys.size} keys and ${patterns.length} patterns in the code, ${names.size} texts`);
});

test('the page and the service have the same addresses', () => {
  const router = readFileSync(join(root, 'web/src/app/router.tsx'), 'utf8');
  const addresses = [...router.matchAll(/screen\(\s*'([^']+)'/g)].map(([, path]) => path as string);
  expect(addresses.map((path) => path.replace(/\$(\w+)/g, '{$1}')).sort()).toEqual(
    [...PAGE_ADDRESSES].sort(),
  );
  console.log(`${addresses.length} addresses`);
});
