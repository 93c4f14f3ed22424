import type { Texts } from './i18n.ts';

export const texts: Texts = import.meta.glob(['../**/texts.en.json', '!../features/call-flow/**'], {
  eager: true,
  import: 'default',
});
