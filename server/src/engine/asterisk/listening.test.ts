import { expect, test } from 'vitest';
import { deafOver } from './listening.ts';

const shown = (...protocols: string[]) =>
  [
    'Transport:  <TransportId........>  <Type>  <cos>  <tos>  <BindAddress....................>',
    ...protocols.map(
      (name) => `Transport:  transport-${name}             ${name}      0      0  127.0.0.1:5060`,
    ),
  ].join('\n');

test('an engine that listens over one of UDP and TCP only is known as deaf over the other', () => {
  expect(deafOver(shown('tls', 'udp', 'tcp'))).toEqual([]);
  expect(deafOver(shown('tls', 'tcp'))).toEqual(['UDP']);
  expect(deafOver(shown('udp'))).toEqual(['TCP']);
  expect(deafOver('No objects found.')).toEqual(['UDP', 'TCP']);
});
