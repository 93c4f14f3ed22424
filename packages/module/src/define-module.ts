import { describeClass, type ResourceClass } from './decorators.ts';
import type { Context, ModuleDefinition, ResourceDefinition } from './description.ts';

export interface ModuleParts extends Omit<ModuleDefinition, 'resources'> {
  /** Plain descriptions and classes with `@resource`, in any mixture. */
  readonly resources: readonly (ResourceDefinition | ResourceClass)[];
}

/** The default export of a main file. The exchange calls it once, with the module's context. */
export type ModuleMaker = (context: Context) => ModuleDefinition;

/** `export default defineModule({ resources: [Notes] });` */
export function defineModule({ resources, ...life }: ModuleParts): ModuleMaker {
  return (context) => ({
    ...life,
    resources: resources.map((part) => (typeof part === 'function' ? describeClass(part, context) : part)),
  });
}
