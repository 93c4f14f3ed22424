/**
 * Lets every file of this process import `@pbxcore/module`, wherever it lies: an installed module is a folder without
 * `node_modules`. The exchange's own copy also wins over one that a module brings along, so that both always fit.
 */
export declare function provideModulePackage(): void;
