/** A text that an attacker might enter; the page must show it as plain text. */
export const HOSTILE = `<img src=x onerror="document.title='owned'"> {{count}} $t(ui.copy) "'\`; --\u202Eesrever ${'w'.repeat(120)}`;
