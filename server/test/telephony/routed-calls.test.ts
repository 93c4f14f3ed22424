import { beforeAll, describe, expect, test } from 'vitest';
import { startOutside } from '../real/outside-caller.ts';
import { startRegistrar } from '../real/sip-registrar.ts';
import { soon } from '../real/soon.ts';
import { type CallRecord, telephonyAvailable } from './exchange.ts';
import { talk, useExchange } from './use-exchange.ts';

const story = (call: CallRecord | undefined) =>
  call?.records.map(({ dst_num, disposition, dialstatus }) =>
    [dst_num, disposition, dialstatus].filter((part) => part !== '').join(' '),
  );

describe.skipIf(!telephonyAvailable())('contract 29.5: calls from outside, from end to end', () => {
  const held = useExchange(
    ['201', '202', '203', '204', '250'].map((number) => ({ number })),
    { PBXCORE_INBOUND_EXTENSION: '250' },
  );
  let outside: Awaited<ReturnType<typeof startOutside>>;
  let trunk: string;

  beforeAll(async () => {
    outside = await startOutside(held.exchange.net.next(), held.exchange.address);
    held.outlive(() => outside.stop());
    const { id } = await held.exchange.admin('POST', '/sip-providers', {
      description: 'P',
      host: outside.address,
    });
    trunk = id;
    await held.exchange.settled();
  });

  const route = (fields: object) => held.exchange.admin('POST', '/incoming-routes', fields);
  const recorded = (caller: string, legs: readonly string[]) =>
    soon(async () => {
      const [call] = await held.exchange.callsOf(caller);
      expect(story(call)).toEqual(legs);
      return call;
    });

  test('V1: without routes the number of an employee rings there, whatever the old setting says', async () => {
    const anna = await held.phone('201');
    const call = outside.call('201', { caller: '+49170001' });
    await anna.next('CALL_INCOMING');
    await anna.answer();
    expect(await call.outcome()).toBe(200);
    await talk(2000);
    await call.hangUp();
    const record = await recorded('+49170001', ['201 ANSWERED ANSWER']);
    expect(record).toMatchObject({ did: '201', disposition: 'ANSWERED', records: [{ from_account: trunk }] });
    expect(record?.totalBillsec).toBeGreaterThanOrEqual(1);
  });

  test('V2: two routes of a number are tried in turn, and the second one answers', async () => {
    await route({ number: '4930111', extension: '201', timeout: 2 });
    await route({ number: '4930111', extension: '202' });
    await held.exchange.settled();
    const [anna, boris] = [await held.phone('201'), await held.phone('202')];
    const call = outside.call('4930111', { caller: '+49170002' });
    await anna.next('CALL_INCOMING');
    await boris.next('CALL_INCOMING');
    await boris.answer();
    expect(await call.outcome()).toBe(200);
    await boris.next('CALL_ESTABLISHED');
    await boris.hangUp();
    const record = await recorded('+49170002', ['201 NO ANSWER NOANSWER', '202 ANSWERED ANSWER']);
    expect(record).toMatchObject({ dst_num: '4930111', did: '4930111', disposition: 'ANSWERED' });
  });

  test('V17: a blocked caller is refused before any phone rings, and the call has a record', async () => {
    const { id } = await route({ callers: ['+4917*'], extension: 'hangup', rulename: 'Blocked' });
    await held.exchange.settled();
    const call = outside.call('4930111', { caller: '+49170017' });
    expect(await call.outcome()).toBe(603);
    expect(call.statuses).toEqual([603]);
    const record = await recorded('+49170017', ['4930111 FAILED HANGUP']);
    expect(record).toMatchObject({ disposition: 'FAILED', dst_num: '4930111' });
    await held.exchange.admin('DELETE', `/incoming-routes/${id}`);
  });

  test('contract 22.11: two trunks with the same login at the same host keep their own routes', async () => {
    const place = { address: held.exchange.net.next(), server: held.exchange.address };
    const account = { username: 'acme', secret: 'trunk-secret' };
    const company = await startRegistrar({ ...place, ...account });
    held.outlive(() => company.stop());
    const lines = () => new Set(company.requests.flatMap((text) => /;line=(\w+)/.exec(text)?.[1] ?? []));
    const seen: { id: string; line: string }[] = [];
    for (const description of ['One', 'Two']) {
      const before = lines();
      const fields = { description, host: company.address, ...account };
      const { id } = await held.exchange.admin('POST', '/sip-providers', fields);
      const line = await soon(() => {
        const [found] = [...lines()].filter((known) => !before.has(known));
        if (found === undefined) throw new Error(`${description} did not register`);
        return found;
      });
      seen.push({ id, line });
    }
    await route({ number: '4930222', extension: '203', providerid: seen[0]?.id });
    await route({ number: '4930222', extension: '204', providerid: seen[1]?.id });
    await held.exchange.settled();
    const network = await startOutside(company.address, held.exchange.address);
    held.defer(() => network.stop());
    for (const [at, number] of ['203', '204'].entries()) {
      const caller = `+4917003${at}`;
      expect(await network.call('4930222', { caller, line: seen[at]?.line ?? '' }).outcome()).toBeGreaterThan(
        400,
      );
      // Nobody has a phone, so the call goes on to the default route at once.
      const call = await recorded(caller, [
        `${number} CHANUNAVAIL CHANUNAVAIL`,
        '250 CHANUNAVAIL CHANUNAVAIL',
      ]);
      expect(call?.records[0]).toMatchObject({ from_account: seen[at]?.id });
    }
  });
});
