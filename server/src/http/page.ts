/** Shared with modules, which page their lists by the same rules. */
export { DEFAULT_LIMIT, type Page, pageBounds, pageFields, pageOf } from '@pbxcore/module/fields';
