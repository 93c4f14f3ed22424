import { afterEach, expect, test, vi } from 'vitest';
import { createHostAddresses } from './host-addresses.ts';

vi.useFakeTimers();
afterEach(() => vi.clearAllTimers());

test('host names are resolved again and again, addresses and ranges are used as they are', async () => {
  const answers = new Map([['sip.example.org', ['192.0.2.6', '192.0.2.5']]]);
  const onChange = vi.fn();
  const resolve = vi.fn(async (name: string) => answers.get(name) ?? Promise.reject(new Error('unknown')));
  const hosts = createHostAddresses({ onChange, resolve, refreshMs: 1000 });
  hosts.follow(['sip.example.org', 'gone.example.org', '198.51.100.7', '10.0.0.0/8', '']);
  await vi.advanceTimersByTimeAsync(1);
  expect(resolve.mock.calls.map(([name]) => name)).toEqual(['sip.example.org', 'gone.example.org']);
  expect(onChange).toHaveBeenCalledTimes(1);
  expect(hosts.of('sip.example.org')).toEqual(['192.0.2.5', '192.0.2.6']);
  expect(hosts.of('198.51.100.7')).toEqual(['198.51.100.7']);
  expect(hosts.of('10.0.0.0/8')).toEqual(['10.0.0.0/8']);
  expect(hosts.of('gone.example.org')).toEqual([]);

  await vi.advanceTimersByTimeAsync(1000);
  expect(onChange).toHaveBeenCalledTimes(1);
  answers.set('sip.example.org', ['192.0.2.9']);
  await vi.advanceTimersByTimeAsync(1000);
  expect(onChange).toHaveBeenCalledTimes(2);
  answers.delete('sip.example.org');
  await vi.advanceTimersByTimeAsync(1000);
  expect(hosts.of('sip.example.org'), 'a silent name server takes nothing away').toEqual(['192.0.2.9']);
  hosts.follow([]);
  expect(hosts.of('sip.example.org')).toEqual([]);
  hosts.close();
});
