import { expect, test } from 'vitest';
import type { DesiredExtension } from '../../desired-state.ts';
import { extension } from '../../engine.suite.ts';
import type { Site } from '../site.ts';
import { parseConfig } from './parse.suite.ts';
import { renderEmployee } from './pjsip-employee.ts';
import { renderTransports } from './pjsip-transports.ts';

const endpointsOf = (fields: Partial<DesiredExtension>) =>
  parseConfig(renderEmployee(extension('201', { transports: ['tls'], ...fields })).endpoints).map(
    ({ name, settings }) => ({ name, settings, of: Object.fromEntries(settings) }),
  );

test('an employee with TLS only cannot register over other transports, which have the same login and filter', () => {
  const filter = { permit: '192.0.2.0/24', deny: '0.0.0.0/0' };
  const [own, refusal] = endpointsOf({ filter });
  expect([own?.name, refusal?.name]).toEqual(['201', '201@without-tls']);
  expect(own?.of).toMatchObject({ auth: '201', aors: '201' });
  expect(refusal?.of).toMatchObject({
    auth: '201',
    context: 'from-tls-employee',
    callerid: own?.of.callerid,
  });
  expect(refusal?.of.aors).toBeUndefined();
  const rules = (settings: readonly (readonly [string, string])[] = []) =>
    settings.filter(([key]) => key === 'permit' || key === 'deny');
  expect(rules(refusal?.settings)).toEqual(rules(own?.settings));
  expect(rules(own?.settings)).not.toEqual([]);
});

test('only transports without TLS belong to the domain in which nobody can register', () => {
  const site = {
    sipHost: '0.0.0.0',
    sipPort: 5060,
    tlsPort: 5061,
    tlsCertFile: '/c',
    tlsKeyFile: '/k',
  } as Site;
  const domains = parseConfig(renderTransports(site)).map(({ name, settings }) => [
    name,
    Object.fromEntries(settings).domain,
  ]);
  expect(domains).toEqual([
    ['transport-udp', 'without-tls'],
    ['transport-tcp', 'without-tls'],
    ['transport-tls', undefined],
  ]);
});

test('required voice encryption overrides manual settings', () => {
  const manualAttributes = 'media_encryption=no\nmedia_encryption_optimistic=yes';
  const of = (isEncrypted: boolean) => endpointsOf({ isEncrypted, manualAttributes })[0]?.of;
  expect(of(true)).toMatchObject({ media_encryption: 'sdes', media_encryption_optimistic: 'no' });
  expect(of(false)).toMatchObject({ media_encryption: 'no', media_encryption_optimistic: 'yes' });
});
