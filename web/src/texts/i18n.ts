import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/** Only complete languages are offered; a test compares their keys. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', ru: 'Русский' } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = 'pbxcore.language';
const isLanguage = (text: string | null | undefined): text is Language =>
  text !== null && text !== undefined && Object.hasOwn(LANGUAGES, text);

/** The chosen language, else the browser's first one that we have. */
export function preferredLanguage(): Language {
  const stored = localStorage.getItem(STORED);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
}

/** Texts of the whole page, and those loaded with the screens that need them. */
const load = {
  page: { en: () => import('./en.ts'), de: () => import('./de.ts'), ru: () => import('./ru.ts') },
  callFlow: {
    en: () => import('./call-flow-en.ts'),
    de: () => import('./call-flow-de.ts'),
    ru: () => import('./call-flow-ru.ts'),
  },
} satisfies Record<string, Record<Language, () => Promise<{ texts: Texts }>>>;
type Part = keyof typeof load;

const needed = new Set<Part>(['page']);
const loaded = new Set<string>();

/** Files by path; the folder's name is the first part of each key: `employees.title`. */
export type Texts = Record<string, Record<string, unknown>>;

const asResources = (texts: Texts): Record<string, unknown> =>
  Object.fromEntries(Object.entries(texts).map(([path, words]) => [path.split('/').at(-2), words]));

async function loadTexts(language: Language): Promise<void> {
  await Promise.all(
    [...needed].map(async (part) => {
      if (loaded.has(`${part} ${language}`)) return;
      const { texts } = await load[part][language]();
      i18next.addResourceBundle(language, 'translation', asResources(texts), true);
      loaded.add(`${part} ${language}`);
    }),
  );
}

export async function setLanguage(language: Language): Promise<void> {
  if (!i18next.isInitialized)
    await i18next.use(initReactI18next).init({ fallbackLng: false, interpolation: { escapeValue: false } });
  await loadTexts(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Also loads these from now on, in every chosen language. */
export async function needTexts(part: Part): Promise<void> {
  needed.add(part);
  await loadTexts(i18next.language as Language);
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  await setLanguage(language);
}
