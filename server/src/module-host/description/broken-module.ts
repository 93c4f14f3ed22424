/** Thrown by the checks of fields too, which authors of modules run in their tests. */
export { BrokenModule, isObject, must, shown } from '@pbxcore/module/fields';
