import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/** Only complete languages are offered; a test compares their keys. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', ru: 'Русский' } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = 'pbxcore.language';
const isLanguage = (text: string | null | undefined): text is Language =>
  text !== null && text !== undefined && Object.hasOwn(LANGUAGES, text);

/** The one that was chosen, else the first of the browser's that we speak. */
export function preferredLanguage(): Language {
  const stored = localStorage.getItem(STORED);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
}

const load = {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  ru: () => import('./ru.ts'),
} satisfies Record<Language, () => Promise<{ texts: Texts }>>;

/** Files by path; the folder's name is the first part of each key: `employees.title`. */
export type Texts = Record<string, Record<string, unknown>>;

const asResources = (texts: Texts): Record<string, unknown> =>
  Object.fromEntries(Object.entries(texts).map(([path, words]) => [path.split('/').at(-2), words]));

export async function setLanguage(language: Language): Promise<void> {
  if (!i18next.isInitialized)
    await i18next.use(initReactI18next).init({ fallbackLng: false, interpolation: { escapeValue: false } });
  if (!i18next.hasResourceBundle(language, 'translation'))
    i18next.addResourceBundle(language, 'translation', asResources((await load[language]()).texts));
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  await setLanguage(language);
}
