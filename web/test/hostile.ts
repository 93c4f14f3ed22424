/** Texts that strangers might leave: shown, they are letters and nothing more. */
export const HOSTILE = `<img src=x onerror="document.title='owned'"> {{count}} $t(ui.copy) "'\`; --\u202Eesrever ${'w'.repeat(120)}`;
