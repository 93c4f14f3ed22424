import { expect, test } from 'vitest';
import type { FlowRecord } from '../../../lib/flow-record.ts';
import { defaultsOf } from '../records/flow-service.ts';
import { desiredIncomingRoutes } from './desired-incoming-routes.ts';
import { type IncomingRoute, incomingRouteFields } from './incoming-route-fields.ts';

const record = (id: string, fields: Partial<IncomingRoute>, priority = 1): FlowRecord<IncomingRoute> => ({
  kind: 'incoming-routes',
  id,
  number: '',
  name: '',
  priority,
  values: { ...(defaultsOf(incomingRouteFields) as IncomingRoute), extension: '201', ...fields },
  createdAt: 0,
  updatedAt: 0,
});

const isSomebodys = (number: string) => number === '201';

test('M1: a target from the setting leads nowhere unless somebody has that number; other targets stay', () => {
  const target = (fields: Partial<IncomingRoute>) =>
    desiredIncomingRoutes([record('1', fields)], { isInService: () => true, isSomebodys }).defaultRoute
      ?.target;
  expect(target({ extension: '201', from_setting: '201' })).toBe('201');
  expect(target({ extension: '250', from_setting: '250' })).toBe('');
  expect(target({ extension: '251', from_setting: '250' })).toBe('251');
  expect(target({ extension: '250' })).toBe('250');
});

test('contract 22.13: routes that are off or whose provider is off are left out; the rest follow priority', () => {
  const records = [
    record('1', { extension: '250' }, 9999),
    record('2', { providerid: 'SIP-A' }, 3),
    record('3', { providerid: 'SIP-OFF' }, 2),
    record('4', { disabled: true }),
    record('10', { callers: ['+49*'] }, 2),
    record('9', {}, 2),
  ];
  const desired = desiredIncomingRoutes(records, { isInService: (id) => id === 'SIP-A', isSomebodys });
  expect(desired.incomingRoutes.map(({ id, providerId }) => [id, providerId])).toEqual([
    [9, ''],
    [10, ''],
    [2, 'SIP-A'],
  ]);
  expect(desired.defaultRoute).toMatchObject({ id: 1, target: '250', didToExtension: true });
});
