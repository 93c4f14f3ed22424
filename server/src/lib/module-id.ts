/** A module's own id. */
export const MODULE_ID = /^[A-Za-z][A-Za-z0-9]{0,63}$/;

/** How a module is listed: by its id, or by its folder if the id is unreadable. Not a path; only compared. */
export const LISTED_MODULE = /^[^/:.][^/:]{0,254}$/;
