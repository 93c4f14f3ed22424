import { describe, expect, test } from 'vitest';
import { BadSettings, readConfig } from './config.ts';

describe('contract 12: settings', () => {
  test('an empty environment gives the defaults', () => {
    expect(readConfig({ PBXCORE_TIMEZONE: 'UTC' })).toMatchObject({
      host: '0.0.0.0',
      httpPort: 8080,
      httpsPort: 8443,
      tls: undefined,
      databaseUrl: undefined,
      redisUrl: undefined,
      redisPrefix: 'pbxcore',
      banKeyPrefix: '',
      trustedProxies: [],
      extensionLength: 3,
      rateLimitAnonymous: 600,
      rateLimitCaller: 0,
      adminPassword: undefined,
      logLevel: 'info',
    });
  });

  test('an empty variable counts as absent', () => {
    expect(readConfig({ PBXCORE_HTTP_PORT: ' ', PBXCORE_REDIS_PREFIX: '' })).toMatchObject({
      httpPort: 8080,
      redisPrefix: 'pbxcore',
    });
  });

  test('the time zone is that of the machine unless set', () => {
    expect(readConfig({}).timezone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
    expect(readConfig({ PBXCORE_TIMEZONE: 'Asia/Kolkata' }).timezone).toMatch(/^Asia\/(Kolkata|Calcutta)$/);
  });

  test('HTTPS can be switched off', () => {
    expect(readConfig({ PBXCORE_HTTPS_PORT: 'off' }).httpsPort).toBeUndefined();
  });

  test('trusted proxies are a list of addresses and CIDRs', () => {
    const { trustedProxies } = readConfig({
      PBXCORE_TRUSTED_PROXIES: '10.0.0.5, 192.168.7.9/24,2001:DB8::/32',
    });
    expect(trustedProxies.map(({ text }) => text)).toEqual(['10.0.0.5', '192.168.7.0/24', '2001:db8::/32']);
  });

  test.each([
    ['PBXCORE_HTTP_HOST', 'not a host!'],
    ['PBXCORE_HTTP_PORT', '65536'],
    ['PBXCORE_HTTP_PORT', '-1'],
    ['PBXCORE_HTTP_PORT', '80a'],
    ['PBXCORE_HTTPS_PORT', 'on'],
    ['PBXCORE_DATABASE_URL', 'mysql://localhost/x'],
    ['PBXCORE_DATABASE_URL', 'localhost:5432'],
    ['PBXCORE_REDIS_URL', 'http://localhost'],
    ['PBXCORE_REDIS_PREFIX', 'with space'],
    ['PBXCORE_REDIS_PREFIX', 'x'.repeat(65)],
    ['PBXCORE_BAN_KEY_PREFIX', 'with*star'],
    ['PBXCORE_ENGINE', 'freeswitch'],
    ['PBXCORE_ASTERISK_FETCH', 'maybe'],
    ['PBXCORE_ASTERISK_AMI_URL', 'ami://asterisk.example.org'],
    ['PBXCORE_ASTERISK_AMI_URL', 'http://user:secret@asterisk.example.org'],
    ['PBXCORE_SIP_HOST', 'localhost'],
    ['PBXCORE_SIP_PORT', '0'],
    ['PBXCORE_SIP_TLS_PORT', '70000'],
    ['PBXCORE_RTP_PORTS', '10000'],
    ['PBXCORE_RTP_PORTS', '20000-10000'],
    ['PBXCORE_EXTERNAL_ADDRESS', 'pbx example'],
    ['PBXCORE_EXTERNAL_ADDRESS', 'pbx\nexten => 1'],
    ['PBXCORE_LOCAL_NETWORKS', '0.0.0.0/0'],
    ['PBXCORE_INBOUND_EXTENSION', 'reception'],
    ['PBXCORE_TRUSTED_PROXIES', 'proxy.example.org'],
    ['PBXCORE_TRUSTED_PROXIES', '10.0.0.1,oops'],
    ['PBXCORE_TRUSTED_PROXIES', '0.0.0.0/0'],
    ['PBXCORE_TRUSTED_PROXIES', '::/0'],
    ['PBXCORE_TIMEZONE', 'Mars/Olympus'],
    ['PBXCORE_EXTENSION_LENGTH', '1'],
    ['PBXCORE_EXTENSION_LENGTH', '9'],
    ['PBXCORE_EXTENSION_LENGTH', 'three'],
    ['PBXCORE_RATE_LIMIT_ANONYMOUS', '-1'],
    ['PBXCORE_RATE_LIMIT_ANONYMOUS', '1.5'],
    ['PBXCORE_RATE_LIMIT_CALLER', 'unlimited'],
    ['PBXCORE_ADMIN_PASSWORD', 'elevenchars'],
    ['PBXCORE_ADMIN_PASSWORD', 'x'.repeat(129)],
    ['PBXCORE_LOG_LEVEL', 'loud'],
  ])('%s=%s is refused with the name, the problem and an example', (name, value) => {
    let problem = '';
    try {
      readConfig({ [name]: value });
    } catch (error) {
      expect(error).toBeInstanceOf(BadSettings);
      problem = (error as Error).message;
    }
    expect(problem).toMatch(new RegExp(`^${name}: must be .+, for example ${name}=\\S+$`));
    const example = problem.slice(problem.lastIndexOf(`${name}=`) + name.length + 1);
    const folders = {
      PBXCORE_ASTERISK_ETC_DIR: '/etc/asterisk',
      PBXCORE_ASTERISK_LOG_DIR: '/var/log/asterisk',
    };
    expect(() => readConfig({ ...folders, [name]: example }), 'the example itself is good').not.toThrow();
  });

  test.each([
    ['PBXCORE_TLS_CERT', 'PBXCORE_TLS_KEY'],
    ['PBXCORE_TLS_KEY', 'PBXCORE_TLS_CERT'],
  ])('%s without %s is refused', (present, missing) => {
    const wrong = () => readConfig({ [present]: '/etc/tls.pem' });
    expect(wrong).toThrow(
      new RegExp(`^${missing}: required together with ${present}, for example ${missing}=`),
    );
  });

  test('an engine is used where one can be found, with its folders in the data directory', () => {
    expect(readConfig({ PBXCORE_DATA_DIR: '/var/lib/pbxcore' }).telephony).toMatchObject({
      engine: 'auto',
      stateDir: '/var/lib/pbxcore/engine',
      asterisk: { bundleDir: '/var/lib/pbxcore/asterisk-bundle', mayFetch: true, remote: undefined },
      sipHost: '0.0.0.0',
      sipPort: 5060,
      sipTlsPort: 5061,
      rtpPorts: { from: 10_000, to: 20_000 },
    });
  });

  test('programs that are started learn nothing of our settings', () => {
    const environment = {
      PATH: '/bin',
      PBXCORE_ADMIN_PASSWORD: 'correct-horse-battery',
      https_proxy: 'http://p',
    };
    const { programEnvironment } = readConfig(environment).telephony;
    expect(Object.keys(programEnvironment).sort()).toEqual(['LC_ALL', 'PATH', 'https_proxy']);
  });

  test('an engine of somebody else needs the folders it reads and writes', () => {
    const url = { PBXCORE_ASTERISK_AMI_URL: 'amis://pbx:p%40ss@[2001:db8::1]' };
    expect(() => readConfig(url)).toThrow(/^PBXCORE_ASTERISK_ETC_DIR: required together with/);
    expect(() => readConfig({ ...url, PBXCORE_ASTERISK_ETC_DIR: '/etc/asterisk' })).toThrow(
      /_LOG_DIR: required/,
    );
    const folders = {
      PBXCORE_ASTERISK_ETC_DIR: '/etc/asterisk',
      PBXCORE_ASTERISK_LOG_DIR: '/var/log/asterisk',
    };
    expect(readConfig({ ...url, ...folders }).telephony.asterisk.remote).toMatchObject({
      host: '2001:db8::1',
      port: 5039,
      user: 'pbx',
      secret: 'p@ss',
      isTls: true,
    });
  });

  test('all problems come together, one line each', () => {
    try {
      readConfig({ PBXCORE_HTTP_PORT: 'x', PBXCORE_TIMEZONE: 'x', PBXCORE_LOG_LEVEL: 'x' });
      expect.unreachable();
    } catch (error) {
      expect((error as Error).message.split('\n')).toHaveLength(3);
    }
  });

  test('a refused value is not repeated: it may be a password', () => {
    expect(() => readConfig({ PBXCORE_ADMIN_PASSWORD: 'tooshort' })).toThrow(/^(?!.*tooshort)/);
    expect(() => readConfig({ PBXCORE_DATABASE_URL: 'mysql://u:geheim@h/x' })).toThrow(/^(?!.*geheim)/);
  });
});
