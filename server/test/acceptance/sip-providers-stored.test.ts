import { describe, expect, test } from 'vitest';
import { createOutsider } from '../outsider.ts';
import { availablePairs, useApp } from './use-app.ts';

/** Values accepted by an older version or written by another tool. */
const WIDE = ['192.0.2.1', '0.0.0.0/1'];
const UNSAFE = '((a+)+)+x';

describe.each(availablePairs)('contract 17.9: stored values out of bounds, on $name', ({ open }) => {
  const held = useApp(open);
  const at = '/sip-providers/SIP-OLD';
  const BODY = { description: 'Old', host: 'sip.example.org' };
  const unused = [
    'additionalHosts[1].address: 0.0.0.0/1 is not used: must be an address or a range of at least /16 (IPv6 /32), not /1',
    expect.stringMatching(/^did_parser_regex: not used: must be a plain pattern: /),
  ];
  const hosts = WIDE.map((address, i) => ({ id: String(i + 1), address }));

  test('they are answered unchanged, with a warning that they are not used', async () => {
    await held.asAdmin('POST', '/sip-providers', { ...BODY, id: 'SIP-OLD' });
    await createOutsider(held.stores).sql(
      `update sip_providers set additional_hosts = '${JSON.stringify(WIDE)}', did_parser_regex = '${UNSAFE}'`,
      'update sip_provider_changes set version = version + 1',
    );
    for (const path of [at, '/providers/SIP-OLD']) {
      const { status, body } = await held.asAdmin('GET', path);
      expect({ status, warnings: body.messages.warning }).toEqual({ status: 200, warnings: unused });
      expect(body.data).toMatchObject({ additionalHosts: hosts, did_parser_regex: UNSAFE });
    }
  });

  test('other fields can be changed', async () => {
    const { status, body } = await held.asAdmin('PATCH', at, { note: 'seen' });
    expect({ status, warnings: body.messages.warning }).toEqual({ status: 200, warnings: unused });
    expect(body.data).toMatchObject({ note: 'seen', additionalHosts: hosts, did_parser_regex: UNSAFE });
    expect((await held.asAdmin('POST', `${at}:updateStatus`, { disabled: true })).status).toBe(200);
  });

  test('they cannot be written again, and correcting the fields removes the warnings', async () => {
    const again = await held.asAdmin('PUT', at, {
      ...BODY,
      additionalHosts: hosts,
      did_parser_regex: UNSAFE,
    });
    expect(again.status).toBe(400);
    expect(again.body.messages.error).toEqual([
      expect.stringMatching(/^did_parser_regex: /),
      expect.stringMatching(/^additionalHosts: \[1\]/),
    ]);
    const mended = await held.asAdmin('PATCH', at, { additionalHosts: [], did_parser_regex: '(\\d+)' });
    expect({ status: mended.status, warnings: mended.body.messages.warning }).toEqual({
      status: 200,
      warnings: [],
    });
  });
});
