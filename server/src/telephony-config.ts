import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { isCatchAll } from './lib/network.ts';
import { readNetworks } from './lib/network-list.ts';
import { anyText, integerIn, matching, oneOf, type ReadSetting, urlOf } from './lib/setting-values.ts';

/** Settings of the telephony engine. Paths are absolute: the engine works in a folder of its own. */
export interface TelephonyConfig {
  /** `auto`: Asterisk if available, else none. `asterisk`: it must be available. */
  readonly engine: 'auto' | 'asterisk' | 'none';
  /** Everything that belongs to a running engine is stored here. */
  readonly stateDir: string;
  readonly asterisk: {
    /** The operator's own Asterisk. */
    readonly program: string | undefined;
    readonly bundleDir: string;
    readonly mayFetch: boolean;
    /** An Asterisk that runs elsewhere. */
    readonly remote: RemoteAsterisk | undefined;
  };
  readonly sipHost: string;
  readonly sipPort: number;
  readonly sipTlsPort: number;
  /** Ends a call after this long without sound from one side; 0: never. */
  readonly silenceSeconds: number;
  /** How often a phone must confirm that it is still in its call; 0: never. */
  readonly sessionSeconds: number;
  readonly rtpPorts: { readonly from: number; readonly to: number };
  readonly externalAddress: string | undefined;
  readonly localNetworks: readonly string[];
  readonly inboundExtension: string | undefined;
  /** The environment for programs that we start. */
  readonly programEnvironment: Readonly<Record<string, string>>;
}

interface RemoteAsterisk {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly secret: string;
  readonly isTls: boolean;
  /** Of the authority that signed its certificate; by default the usual ones. */
  readonly caFile: string | undefined;
  /** Its configuration folder and its log folder, as seen from here. */
  readonly etcDir: string;
  readonly logDir: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const ENGINES = ['auto', 'asterisk', 'none'] as const;
const PRIVATE = '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,127.0.0.0/8';
const SBIN = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const PROXY_NAMES = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

export function readTelephonyConfig(
  setting: ReadSetting,
  environment: Environment,
  { dataDir, problems }: { dataDir: string; problems: string[] },
): TelephonyConfig {
  const optional = <T>(name: string, read: (text: string) => T | undefined, problem = '', example = '') =>
    setting<T | undefined>(name, undefined, read, problem, example);
  const port = (name: string, fallback: number) =>
    setting(name, fallback, integerIn(1, 65_535), 'must be a port, 1..65535', String(fallback));
  return {
    engine: setting<TelephonyConfig['engine']>(
      'PBXCORE_ENGINE',
      'auto',
      oneOf(ENGINES),
      `must be one of ${ENGINES.join(', ')}`,
      'auto',
    ),
    stateDir: resolve(dataDir, 'engine'),
    asterisk: {
      program: optional('PBXCORE_ASTERISK_PATH', anyText),
      bundleDir: resolve(
        setting('PBXCORE_ASTERISK_BUNDLE_DIR', join(dataDir, 'asterisk-bundle'), anyText, '', ''),
      ),
      mayFetch:
        setting('PBXCORE_ASTERISK_FETCH', 'yes', oneOf(['yes', 'no']), 'must be yes or no', 'no') === 'yes',
      remote: readRemote(),
    },
    sipHost: setting('PBXCORE_SIP_HOST', '0.0.0.0', ipv4, 'must be an IPv4 address', '0.0.0.0'),
    sipPort: port('PBXCORE_SIP_PORT', 5060),
    sipTlsPort: port('PBXCORE_SIP_TLS_PORT', 5061),
    rtpPorts: setting(
      'PBXCORE_RTP_PORTS',
      { from: 10_000, to: 20_000 },
      portRange,
      'must be a range of more than 20 ports, from 1024 up',
      '10000-20000',
    ),
    silenceSeconds: setting(
      'PBXCORE_SILENCE_TIMEOUT',
      60,
      (text) => (text === '0' ? 0 : integerIn(5, 86_400)(text)),
      'must be a number of seconds, 5..86400, or 0 (off)',
      '60',
    ),
    sessionSeconds: setting(
      'PBXCORE_SESSION_TIMER',
      600,
      (text) => (text === '0' ? 0 : integerIn(90, 86_400)(text)),
      'must be a number of seconds, 90..86400, or 0 (off)',
      '600',
    ),
    externalAddress: optional(
      'PBXCORE_EXTERNAL_ADDRESS',
      matching(/^[a-z0-9]([a-z0-9.:-]{0,251}[a-z0-9])?$/i),
      'must be an address or host name',
      'pbx.example.org',
    ),
    localNetworks: setting<readonly string[]>(
      'PBXCORE_LOCAL_NETWORKS',
      PRIVATE.split(','),
      networks,
      'must be a comma-separated list of addresses or CIDRs, none of them /0',
      '192.168.0.0/16',
    ),
    inboundExtension: optional(
      'PBXCORE_INBOUND_EXTENSION',
      matching(/^\d{2,8}$/),
      'must be an internal number',
      '201',
    ),
    programEnvironment: {
      PATH: `${environment.PATH ?? ''}:${SBIN}`,
      LC_ALL: 'C.UTF-8',
      ...Object.fromEntries(
        PROXY_NAMES.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
      ),
    },
  };

  function readRemote(): RemoteAsterisk | undefined {
    const name = 'PBXCORE_ASTERISK_AMI_URL';
    const text = optional(
      name,
      (value) =>
        urlOf('ami:', 'amis:')(value) && new URL(value).username && new URL(value).password
          ? value
          : undefined,
      'must be a URL with the address, user and secret of a manager interface',
      'amis://pbxcore:secret@asterisk.example.org:5039',
    );
    const etcDir = optional('PBXCORE_ASTERISK_ETC_DIR', anyText);
    const logDir = optional('PBXCORE_ASTERISK_LOG_DIR', anyText);
    const caFile = optional('PBXCORE_ASTERISK_AMI_CA', anyText);
    if (text === undefined) return undefined;
    if (!etcDir || !logDir) {
      const missing = etcDir ? 'PBXCORE_ASTERISK_LOG_DIR' : 'PBXCORE_ASTERISK_ETC_DIR';
      const example = etcDir ? '/var/log/asterisk' : '/etc/asterisk';
      problems.push(`${missing}: required together with ${name}, for example ${missing}=${example}`);
      return undefined;
    }
    const url = new URL(text);
    const isTls = url.protocol === 'amis:';
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || (isTls ? 5039 : 5038),
      user: decodeURIComponent(url.username),
      secret: decodeURIComponent(url.password),
      isTls,
      caFile,
      etcDir: resolve(etcDir),
      logDir: resolve(logDir),
    };
  }
}

const ipv4 = (text: string) => (isIP(text) === 4 ? text : undefined);

function portRange(text: string): { from: number; to: number } | undefined {
  const [, first, last] = /^(\d{4,5})-(\d{4,5})$/.exec(text) ?? [];
  const [from, to] = [Number(first), Number(last)];
  return from >= 1024 && to <= 65_535 && to - from >= 20 ? { from, to } : undefined;
}

function networks(text: string): readonly string[] | undefined {
  const { networks, unreadable } = readNetworks(text);
  return unreadable.length > 0 || networks.some(isCatchAll) ? undefined : networks.map((one) => one.text);
}
