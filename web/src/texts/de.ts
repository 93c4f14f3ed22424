import type { Texts } from './i18n.ts';

export const texts: Texts = import.meta.glob('../**/texts.de.json', { eager: true, import: 'default' });
