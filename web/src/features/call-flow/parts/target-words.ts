import { useTranslation } from 'react-i18next';

/** A stored target for people: target words in the reader's language, everything else as the service names it. */
export function useTargetWords() {
  const { t, i18n } = useTranslation();
  return (target: string, represent: string): string => {
    const key = `call-flow.word.${target}`;
    return i18n.exists(key) ? t(key) : represent || target;
  };
}
