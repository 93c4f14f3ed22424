import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { closedPortsOf } from './closed-ports.ts';

const remote = {
  PBXCORE_ENGINE: 'asterisk',
  PBXCORE_ASTERISK_AMI_URL: 'ami://pbxcore:right@127.0.0.1:5039',
  PBXCORE_ASTERISK_ETC_DIR: '/etc/asterisk',
  PBXCORE_ASTERISK_LOG_DIR: '/var/log/asterisk',
};

test.each([
  [{}, []],
  [
    { PBXCORE_DATABASE_URL: 'postgres://u:p@db:6000/pbxcore', PBXCORE_REDIS_URL: 'rediss://keys:6001/0' },
    [6000, 6001],
  ],
  [{ PBXCORE_DATABASE_URL: 'postgres://u:p@db/pbxcore', PBXCORE_REDIS_URL: 'redis://keys' }, [5432, 6379]],
  [remote, [5039]],
])('the ports of the stores and of a remote engine are closed to modules: %j', (settings, ports) => {
  expect(closedPortsOf(readConfig(settings))).toEqual(ports);
});
