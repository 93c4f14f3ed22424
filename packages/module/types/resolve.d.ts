/**
 * Lets every file of this process import `@pbxcore/module`, wherever it is: an installed module is a folder without
 * `node_modules`. The exchange's own copy takes precedence over one in the module, so that both sides always match.
 */
export declare function provideModulePackage(): void;
