import { expect, test } from 'vitest';
import type { SipProvider } from './sip-provider.ts';
import { followUnserved } from './unserved-log.ts';

test('settings that the engine does not receive are logged at start, and again only after a change', () => {
  const lines: string[] = [];
  const listeners: (() => void)[] = [];
  const stored = (id: string, additionalHosts: string[]) =>
    ({
      id,
      host: 'h',
      additionalHosts,
      cid_parser_regex: '',
      did_parser_regex: '',
    }) as unknown as SipProvider;
  let providers = [stored('SIP-1', ['10.0.0.0/8']), stored('SIP-2', ['10.0.0.0/16'])];
  const change = (next: typeof providers) => {
    providers = next;
    for (const listener of listeners) listener();
  };
  followUnserved({ inService: () => providers, onChange: (listener) => void listeners.push(listener) }, {
    warn: (line: string) => void lines.push(line),
  } as never);
  expect(lines).toEqual([
    expect.stringMatching(/^provider SIP-1: additionalHosts\[0\].address: 10.0.0.0\/8 is/),
  ]);
  change([...providers]);
  expect(lines).toHaveLength(1);
  change([stored('SIP-1', [])]);
  change([stored('SIP-1', ['10.0.0.0/8'])]);
  expect(lines).toHaveLength(2);
});
