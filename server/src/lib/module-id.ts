/** What a module calls itself. */
export const MODULE_ID = /^[A-Za-z][A-Za-z0-9]{0,63}$/;

/** As a module is listed: by its id, or by the name of a folder in which none can be read. No path; it is compared, never opened. */
export const LISTED_MODULE = /^[^/:.][^/:]{0,254}$/;
