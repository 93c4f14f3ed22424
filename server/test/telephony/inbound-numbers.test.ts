import { describe, test } from 'vitest';
import { invite } from '../real/sip-invite.ts';
import { createSipSocket } from '../real/sip-socket.ts';
import { telephonyAvailable } from './exchange.ts';
import { useExchange } from './use-exchange.ts';

describe.skipIf(!telephonyAvailable())('how calls from outside find an extension, as the guide says', () => {
  const held = useExchange([{ number: '201' }, { number: '202' }], { PBXCORE_INBOUND_EXTENSION: '202' });

  test('by the whole number, by the digits that a pattern extracts, or else at the inbound extension', async () => {
    const [named, everybody] = [await held.phone('201'), await held.phone('202')];
    const self = held.exchange.net.next();
    const { id } = await held.exchange.admin('POST', '/sip-providers', { description: 'T', host: self });
    await held.exchange.settled();
    const socket = await createSipSocket(self, held.exchange.address, 5099);
    held.defer(() => socket.close());
    const call = (number: string, name: string) =>
      socket.call(invite({ self, host: held.exchange.address, number, from: '<sip:0151@x>', id: name }));

    await call('201', 'whole');
    await named.next('CALL_INCOMING');
    await named.hangUp();
    await call('+4930123201', 'unread');
    await everybody.next('CALL_INCOMING');
    await everybody.hangUp();

    const rule = { did_source: 'to', did_parser_regex: '(\\d{3})@' };
    await held.exchange.admin('PATCH', `/sip-providers/${id}`, rule);
    await held.exchange.settled();
    await call('+4930123201', 'read');
    await named.next('CALL_INCOMING');
    await named.hangUp();
  });
});
