import type { Texts } from './i18n.ts';

export const texts: Texts = import.meta.glob('../features/call-flow/**/texts.de.json', {
  eager: true,
  import: 'default',
});
