import { expect, test } from 'vitest';
import type { Site } from '../site.ts';
import { renderBase } from './base.ts';
import { parseConfig } from './parse.suite.ts';

const site = (change: Partial<Site> = {}): Site => ({
  stateDir: '/data/engine',
  etcDir: '/data/engine/etc',
  logDir: '/data/engine/log',
  spoolDir: '/data/engine/spool',
  libDir: '/data/engine/lib',
  modulesDir: undefined,
  shareDir: undefined,
  recordingsDir: '/data/recordings',
  soundsDir: '/data/sounds',
  journalFile: '/data/engine/log/cel-custom/journal.csv',
  sipHost: '0.0.0.0',
  sipPort: 5060,
  tlsPort: 5061,
  tlsCertFile: '/data/tls-cert.pem',
  tlsKeyFile: '/data/tls-key.pem',
  rtpFrom: 10_000,
  rtpTo: 20_000,
  silenceSeconds: 60,
  sessionSeconds: 600,
  externalAddress: undefined,
  localNetworks: [],
  ami: { host: '127.0.0.1', port: 5038, user: 'pbxcore', secret: 'random' },
  systemName: 'pbx012345',
  extensionLength: 3,
  timezone: 'UTC',
  version: { major: 22, text: '22.10.1' },
  ...change,
});

const read = (name: string, change: Partial<Site> = {}) =>
  Object.fromEntries(
    parseConfig(renderBase(site(change)).get(name) ?? '').map((section) => [
      section.name,
      Object.fromEntries(section.settings),
    ]),
  );

test('no file and no caller may start a program', () => {
  expect(read('asterisk.conf').options).toMatchObject({ execincludes: 'no', live_dangerously: 'no' });
});

test('the control interface is for this machine only, and nothing is served over HTTP', () => {
  const { general, pbxcore } = read('manager.conf');
  expect(general).toMatchObject({ enabled: 'yes', webenabled: 'no', bindaddr: '127.0.0.1', port: '5038' });
  expect(pbxcore).toMatchObject({ secret: 'random', deny: '0.0.0.0/0.0.0.0' });
  expect(pbxcore?.permit).toBe('127.0.0.1/255.255.255.255');
  expect(read('http.conf').general).toEqual({ enabled: 'no' });
});

test('the control socket, which has no password, has a name that cannot be guessed', () => {
  const nameOf = (secret: string) =>
    read('asterisk.conf', { ami: { host: '127.0.0.1', port: 5038, user: 'pbxcore', secret } }).files?.astctl;
  expect(nameOf('random')).toMatch(/^[0-9a-f]{32}\.ctl$/);
  expect(nameOf('random')).toBe(nameOf('random'));
  expect(nameOf('other')).not.toBe(nameOf('random'));
});

test('events of ordinary calls are disabled, but the events that we listen to are not', () => {
  const unheard = read('manager.conf').general?.disabledevents?.split(',');
  expect(unheard).toEqual(expect.arrayContaining(['Newexten', 'VarSet', 'BridgeEnter', 'Hangup']));
  const heard = ['ContactStatus', 'Registry', 'FullyBooted', 'InvalidAccountID', 'ChallengeResponseFailed'];
  for (const event of [...heard, 'Hold', 'Unhold', 'InvalidPassword', 'FailedACL', 'SuccessfulAuth'])
    expect(unheard).not.toContain(event);
});

test('no message type that the engine needs itself is declined, as it would not start', () => {
  const text = renderBase(site()).get('stasis.conf') ?? '';
  expect(text).toContain('decline=ast_channel_varset_type\n');
  expect(text).not.toMatch(/snapshot|dial|dtmf|hangup|bridge|hold|endpoint|security|cel_|cache/);
});

test('messages of the SIP library that strangers can cause are no errors, so they stay out of the refusals log', () => {
  expect(read('logger.conf').logfiles).toMatchObject({ 'refusals.log': '[json]error,debug' });
  expect(read('pjproject.conf')).toEqual({
    log_mappings: { type: 'log_mappings', asterisk_error: '0', asterisk_warning: '1,2' },
  });
});

test('only named engine modules are loaded, and none for other protocols or for running programs', () => {
  const text = renderBase(site()).get('modules.conf') ?? '';
  expect(text).toContain('autoload=no');
  expect(text).not.toMatch(
    /chan_iax2|res_ari|app_system|func_shell|res_agi|app_externalivr|res_http_post|func_curl/,
  );
  expect(text).not.toMatch(/^(?!\[modules\]$|autoload=no$|load=[a-z0-9_]+\.so$|$)/m);
});

test('the folders of the installation are configured if they are known', () => {
  expect(read('asterisk.conf').directories).not.toHaveProperty('astmoddir');
  const known = read('asterisk.conf', { modulesDir: '/b/modules', shareDir: '/b/share' });
  expect(known.directories).toMatchObject({
    astmoddir: '/b/modules',
    astdatadir: '/b/share',
    astrundir: 'run',
  });
});

test('a folder with a semicolon stays whole, one with a line break is refused', () => {
  expect(read('asterisk.conf', { etcDir: '/a;b/etc' }).directories?.astetcdir).toBe('/a;b/etc');
  expect(() => renderBase(site({ logDir: '/a\n[options]' }))).toThrow(/cannot be used by the engine/);
});
