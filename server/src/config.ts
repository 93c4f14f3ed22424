import { join } from 'node:path';
import { isCatchAll, type Network } from './lib/network.ts';
import { readNetworks } from './lib/network-list.ts';
import { anyText, integerIn, matching, urlOf } from './lib/setting-values.ts';
import { type NumberingConfig, readNumberingConfig } from './numbering-config.ts';
import { readTelephonyConfig, type TelephonyConfig } from './telephony-config.ts';

/** Every setting, read once and checked. This is the only file that reads the environment. */
export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly httpPort: number;
  /** `undefined`: no HTTPS. */
  readonly httpsPort: number | undefined;
  /** The operator's own certificate files; without them, a certificate is generated. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly dataDir: string;
  /** Recordings of calls. */
  readonly recordingsDir: string;
  /** Sounds that callers hear. */
  readonly soundsDir: string;
  /** Add-on modules, one folder each. */
  readonly modulesDir: string;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly redisPrefix: string;
  readonly banKeyPrefix: string;
  readonly trustedProxies: readonly Network[];
  readonly timezone: string;
  /** Number of digits of internal numbers. */
  readonly extensionLength: number;
  readonly rateLimitAnonymous: number;
  readonly rateLimitCaller: number;
  readonly adminPassword: string | undefined;
  readonly numbering: NumberingConfig;
  readonly telephony: TelephonyConfig;
  readonly logLevel: string;
}

/** Each line names the variable, the problem and an example. */
export class BadSettings extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'BadSettings';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'];

export function readConfig(environment: Environment = process.env): Config {
  const problems: string[] = [];

  /** An absent or empty variable takes the default; `read` returns `undefined` for a value it cannot use. */
  function setting<T>(
    name: string,
    fallback: T,
    read: (text: string) => T | undefined,
    problem: string,
    example: string,
  ): T {
    const text = environment[name]?.trim();
    if (!text) return fallback;
    const value = read(text);
    if (value !== undefined) return value;
    problems.push(`${name}: ${problem}, for example ${name}=${example}`);
    return fallback;
  }

  const port = (name: string, fallback: number, example: string) =>
    setting(name, fallback, integerIn(0, 65_535), 'must be a port, 0..65535', example);
  const perMinute = (name: string, fallback: number) =>
    setting(
      name,
      fallback,
      integerIn(0, 1_000_000),
      'must be a number of requests per minute, 0 (off) to 1000000',
      String(fallback || 600),
    );
  const prefix = (name: string, fallback: string, example: string) =>
    setting(
      name,
      fallback,
      matching(/^[\w.:{}-]{1,64}$/),
      'must be 1..64 letters, digits or _ . : - { }',
      example,
    );

  const certFile = setting('PBXCORE_TLS_CERT', undefined, anyText, '', '');
  const keyFile = setting('PBXCORE_TLS_KEY', undefined, anyText, '', '');
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const [present, missing] = certFile
      ? ['PBXCORE_TLS_CERT', 'PBXCORE_TLS_KEY']
      : ['PBXCORE_TLS_KEY', 'PBXCORE_TLS_CERT'];
    problems.push(
      `${missing}: required together with ${present}, for example ${missing}=/etc/pbxcore/tls.pem`,
    );
  }

  const dataDir = setting('PBXCORE_DATA_DIR', './data', anyText, '', '');
  const config: Config = {
    host: setting(
      'PBXCORE_HTTP_HOST',
      '0.0.0.0',
      matching(/^[\w.:-]+$/),
      'must be an address or host name',
      '127.0.0.1',
    ),
    httpPort: port('PBXCORE_HTTP_PORT', 8080, '8080'),
    httpsPort: setting<number | undefined>(
      'PBXCORE_HTTPS_PORT',
      8443,
      (text) => (text === 'off' ? -1 : integerIn(0, 65_535)(text)),
      'must be a port, 0..65535, or off',
      '8443',
    ),
    tls: certFile && keyFile ? { certFile, keyFile } : undefined,
    dataDir,
    recordingsDir: setting('PBXCORE_RECORDINGS_DIR', join(dataDir, 'recordings'), anyText, '', ''),
    soundsDir: setting('PBXCORE_SOUNDS_DIR', join(dataDir, 'sounds'), anyText, '', ''),
    modulesDir: setting('PBXCORE_MODULES_DIR', join(dataDir, 'modules'), anyText, '', ''),
    databaseUrl: setting<string | undefined>(
      'PBXCORE_DATABASE_URL',
      undefined,
      urlOf('postgres:', 'postgresql:'),
      'must be a PostgreSQL URL',
      'postgres://pbxcore:secret@127.0.0.1:5432/pbxcore',
    ),
    redisUrl: setting<string | undefined>(
      'PBXCORE_REDIS_URL',
      undefined,
      urlOf('redis:', 'rediss:'),
      'must be a Redis URL',
      'redis://127.0.0.1:6379/0',
    ),
    redisPrefix: prefix('PBXCORE_REDIS_PREFIX', 'pbxcore', 'pbxcore'),
    banKeyPrefix: prefix('PBXCORE_BAN_KEY_PREFIX', '', '_PH_REDIS_CLIENT:'),
    trustedProxies: setting<readonly Network[]>(
      'PBXCORE_TRUSTED_PROXIES',
      [],
      proxies,
      'must be a comma-separated list of addresses or CIDRs, none of them /0',
      '10.0.0.5,192.168.0.0/24',
    ),
    timezone: setting(
      'PBXCORE_TIMEZONE',
      machineTimezone(),
      knownTimezone,
      'must be an IANA time zone',
      'Europe/Berlin',
    ),
    extensionLength: setting(
      'PBXCORE_EXTENSION_LENGTH',
      3,
      integerIn(2, 8),
      'must be a number of digits, 2..8',
      '3',
    ),
    rateLimitAnonymous: perMinute('PBXCORE_RATE_LIMIT_ANONYMOUS', 600),
    rateLimitCaller: perMinute('PBXCORE_RATE_LIMIT_CALLER', 0),
    adminPassword: setting<string | undefined>(
      'PBXCORE_ADMIN_PASSWORD',
      undefined,
      (text) => ([...text].length >= 12 && [...text].length <= 128 ? text : undefined),
      'must be 12..128 characters',
      'correct-horse-battery',
    ),
    numbering: readNumberingConfig(setting, problems),
    telephony: readTelephonyConfig(setting, environment, { dataDir, problems }),
    logLevel: setting(
      'PBXCORE_LOG_LEVEL',
      'info',
      (text) => LOG_LEVELS.find((level) => level === text),
      `must be one of ${LOG_LEVELS.join(', ')}`,
      'info',
    ),
  };
  if (problems.length > 0) throw new BadSettings(problems);
  return { ...config, httpsPort: config.httpsPort === -1 ? undefined : config.httpsPort };
}

function proxies(text: string): readonly Network[] | undefined {
  const { networks, unreadable } = readNetworks(text);
  // Trusting everybody would let every client choose its own address.
  return unreadable.length > 0 || networks.some(isCatchAll) ? undefined : networks;
}

function knownTimezone(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function machineTimezone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
