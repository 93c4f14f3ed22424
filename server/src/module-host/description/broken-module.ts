/** Also thrown by the checks of fields, which authors of modules run in their tests. */
export { BrokenModule, isObject, must, shown } from '@pbxcore/module/fields';
