import { registerHooks } from 'node:module';

const provided: Readonly<Record<string, string>> = {
  '@pbxcore/module': new URL('./index.ts', import.meta.url).href,
  '@pbxcore/module/testing': new URL('./testing.ts', import.meta.url).href,
};

/**
 * Lets every file of this process import `@pbxcore/module`, wherever it is: an installed module is a folder without
 * `node_modules`. The exchange's own copy takes precedence over one in the module, so that both sides always match.
 */
export function provideModulePackage(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const url = Object.hasOwn(provided, specifier) ? provided[specifier] : undefined;
      return url ? { url, format: 'module-typescript', shortCircuit: true } : next(specifier, context);
    },
  });
}
