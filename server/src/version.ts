import packageJson from '../package.json' with { type: 'json' };

/** Of this installation. */
export const VERSION: string = packageJson.version;
