import { describe, expect, test } from 'vitest';
import { createEmployeeRig } from './employee-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 3: employees on $name', ({ open }) => {
  const running = useApp(open);
  const { create, made, read, patch, put, good, nextNumber } = createEmployeeRig(running);

  test('a created employee is answered with its defaults, id and the configured length', async () => {
    const number = nextNumber();
    const { status, body } = await create({ number });
    expect(status).toBe(201);
    expect(body).toMatchObject({ function: 'create', httpCode: 201 });
    expect(body.data).toEqual({
      id: expect.stringMatching(/^\d+$/),
      number,
      user_username: 'Anna Example',
      user_email: '',
      user_avatar: '',
      mobile_number: '',
      mobile_dialstring: '',
      sip_secret: 'correct-horse',
      sip_transport: 'udp',
      sip_dtmfmode: 'auto',
      sip_media_encryption: 'none',
      outgoing_callerid: '',
      call_class: 'premium',
      sip_enableRecording: true,
      sip_networkfilterid: 'none',
      sip_networkfilterid_represent: 'No restriction',
      sip_manualattributes: '',
      fwd_ringlength: 45,
      fwd_forwarding: '',
      fwd_forwarding_represent: '',
      fwd_forwardingonbusy: '',
      fwd_forwardingonbusy_represent: '',
      fwd_forwardingonunavailable: '',
      fwd_forwardingonunavailable_represent: '',
      extensions_length: 3,
      created_at: body.meta.timestamp,
      updated_at: body.meta.timestamp,
    });
    expect(await read(body.data.id)).toEqual(body.data);
  });

  test('a used number is 409 before any rule across fields is checked', async () => {
    const { number, user_username } = await made();
    const { status, body } = await create({ number, fwd_forwarding: number });
    expect(status).toBe(409);
    expect(body.messages.error).toEqual([`number: already taken by ${user_username} <${number}>`]);
  });

  test('patches of different fields at once are both kept', async () => {
    const { id } = await made();
    await Promise.all([
      patch(id, { user_email: 'a@example.org' }),
      patch(id, { mobile_number: '+4930111' }),
      patch(id, { sip_transport: 'tls' }),
    ]);
    expect(await read(id)).toMatchObject({
      user_email: 'a@example.org',
      mobile_number: '+4930111',
      sip_transport: 'tls',
    });
  });

  test('a missing record is 404 before the fields are checked', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const { status, body } = await running.asAdmin(
        method,
        '/employees/999999',
        method === 'GET' ? undefined : {},
      );
      expect(status, method).toBe(404);
      expect(body).toMatchObject({ httpCode: 404, result: false });
      expect(body.messages.error[0]).toContain('not found');
    }
    expect(await put('999999', '')).toMatchObject({ status: 404 });
    expect(await patch('999999', { number: 'x' })).toMatchObject({ status: 404 });
  });

  test('an id that is not digits is no route', async () => {
    expect(await running.asAdmin('GET', '/employees/abc')).toMatchObject({ status: 404 });
  });

  describe('forwarding and ring length', () => {
    test.each([2, 0, 181, -1, '', 100_000])('with a forward a ring length of %j is 422', async (ring) => {
      const { status, body } = await create({ fwd_forwarding: '202', fwd_ringlength: ring });
      expect(status).toBe(422);
      expect(body.messages.error[0]).toContain('3-180');
    });

    test.each([3, 180, '60'])('with a forward a ring length of %j is stored', async (ring) => {
      const record = await made({ fwd_forwarding: '202', fwd_ringlength: ring });
      expect(record.fwd_ringlength).toBe(Number(ring));
    });

    test('a forward without a ring length gets 45', async () => {
      expect(await made({ fwd_forwarding: '202' })).toMatchObject({ fwd_ringlength: 45 });
    });

    test.each([0, '', 180])('without a forward a ring length of %j is stored', async (ring) => {
      expect(await made({ fwd_ringlength: ring })).toMatchObject({ fwd_ringlength: Number(ring) });
    });

    test.each([181, -1, 'abc', 1.5, true])('without a forward a ring length of %j is 400', async (ring) => {
      const { status, body } = await create({ fwd_ringlength: ring, user_email: 'nobody' });
      expect(status).toBe(400);
      expect(body.messages.error).toEqual([
        expect.stringMatching(/^user_email: /),
        expect.stringMatching(/^fwd_ringlength: /),
      ]);
    });

    test.each(['fwd_forwarding', 'fwd_forwardingonbusy', 'fwd_forwardingonunavailable'])(
      '%s to the own number is 422, by create, PUT and PATCH',
      async (field) => {
        const { id, number, user_username } = await made();
        expect(await create({ number: '201', [field]: '201' })).toMatchObject({ status: 422 });
        expect(await put(id, { number, user_username, [field]: number })).toMatchObject({ status: 422 });
        expect(await patch(id, { [field]: number })).toMatchObject({ status: 422 });
        const target = nextNumber();
        await patch(id, { [field]: target });
        expect(await patch(id, { number: target })).toMatchObject({ status: 422 });
      },
    );

    test('a label names the target of a forward', async () => {
      const colleague = await made({ user_username: 'Боб' });
      const record = await made({ fwd_forwarding: colleague.number, fwd_forwardingonbusy: 'hangup' });
      expect(record).toMatchObject({
        fwd_forwarding_represent: `Боб <${colleague.number}>`,
        fwd_forwardingonbusy_represent: 'Hang up',
      });
    });
  });

  test('encrypted voice needs tls: without it, create, PUT and PATCH of either field are 422', async () => {
    const tls = { sip_transport: 'tls', sip_media_encryption: 'sdes' };
    const reasons = [expect.stringMatching(/^sip_media_encryption: sdes needs sip_transport tls/)];
    const stored = await made(tls);
    expect(stored).toMatchObject(tls);
    const { id, number, user_username } = stored;
    for (const { status, body } of [
      await create({ sip_media_encryption: 'sdes' }),
      await create({ ...tls, sip_transport: 'udp,tcp' }),
      await put(id, { number, user_username, sip_media_encryption: 'sdes' }),
      await patch(id, { sip_transport: 'udp' }),
      await patch((await made()).id, { sip_media_encryption: 'sdes' }),
    ]) {
      expect(status).toBe(422);
      expect(body.messages.error).toEqual(reasons);
    }
    expect(await read(id)).toEqual(stored);
    expect((await patch(id, { sip_media_encryption: 'none', sip_transport: 'udp' })).status).toBe(200);
  });

  describe('PUT', () => {
    test('needs number and name', async () => {
      const { id } = await made();
      const { status, body } = await put(id, {});
      expect(status).toBe(400);
      expect(body.messages.error).toEqual(['number: required', 'user_username: required']);
    });

    test('returns absent fields to their defaults and keeps the secret', async () => {
      const { id, number } = await made({
        user_email: 'a@example.org',
        mobile_number: '491701',
        mobile_dialstring: 'x',
        sip_transport: 'tcp',
        sip_dtmfmode: 'info',
        sip_enableRecording: false,
        sip_manualattributes: 'a=b',
        fwd_ringlength: 20,
        fwd_forwarding: '202',
      });
      const { status, body } = await put(id, { number, user_username: 'New' });
      expect(status).toBe(200);
      expect(body.data).toEqual({ ...(await made()), id, number, user_username: 'New' });
    });

    test.each([undefined, null, '', 'XXXXXXXX'])('the secret %j keeps the stored one', async (sip_secret) => {
      const { id, number } = await made();
      const { body } = await put(id, { number, user_username: 'x', sip_secret });
      expect(body.data.sip_secret).toBe('correct-horse');
    });

    test('a read record can be put back: no change and no warning', async () => {
      const record = await made({
        user_email: 'a@example.org',
        fwd_forwarding: '+4930',
        sip_manualattributes: 'direct_media=no\r\nsend_pai=yes',
      });
      const { status, body } = await put(record.id, record);
      expect(status).toBe(200);
      expect(body.messages.warning).toEqual([]);
      expect(body.data).toEqual(record);
    });
  });

  describe('PATCH', () => {
    test('without fields changes nothing', async () => {
      const record = await made();
      for (const body of [{}, '', { sip_enableRecording: null, number: null }]) {
        const answer = await patch(record.id, body);
        expect(answer).toMatchObject({ status: 200, body: { data: record, messages: { warning: [] } } });
      }
    });

    test('with an unknown field changes nothing and names the field', async () => {
      const record = await made();
      const { status, body } = await patch(record.id, { colour: 'red' });
      expect(status).toBe(200);
      expect(body.data).toEqual(record);
      expect(body.messages.warning).toEqual([expect.stringContaining('colour')]);
    });

    test.each(['number', 'user_username'])('an empty %s is 400', async (field) => {
      const { id } = await made();
      expect(await patch(id, { [field]: '' })).toMatchObject({ status: 400 });
    });

    test('empty text clears what can be empty and keeps the secret', async () => {
      const { id } = await made({
        user_email: 'a@example.org',
        mobile_number: '491701',
        sip_manualattributes: 'a',
        fwd_forwardingonbusy: 'busy',
      });
      const cleared = {
        user_email: '',
        mobile_number: '',
        sip_manualattributes: '',
        fwd_forwardingonbusy: '',
      };
      const { body } = await patch(id, { ...cleared, sip_secret: '' });
      expect(body.data).toMatchObject({ ...cleared, sip_secret: 'correct-horse' });
    });

    test('clearing the mobile number clears the dial string, unless that is sent too', async () => {
      const phone = { mobile_number: '491701', mobile_dialstring: '0491701' };
      const [one, two] = [await made(phone), await made(phone)];
      expect((await patch(one.id, { mobile_number: '' })).body.data.mobile_dialstring).toBe('');
      const both = { mobile_number: '', mobile_dialstring: 'x' };
      expect((await patch(two.id, both)).body.data).toMatchObject(both);
    });

    test('without a forward the ring length becomes 0, with a new forward 45', async () => {
      const { id } = await made({ fwd_forwarding: '202', fwd_ringlength: 30 });
      expect((await patch(id, { fwd_forwarding: '' })).body.data.fwd_ringlength).toBe(0);
      expect((await patch(id, { fwd_forwarding: '203' })).body.data.fwd_ringlength).toBe(45);
      await patch(id, { fwd_ringlength: 30 });
      expect((await patch(id, { fwd_forwarding: 'busy' })).body.data.fwd_ringlength).toBe(30);
      expect(await patch(id, { fwd_ringlength: 2 })).toMatchObject({ status: 422 });
      expect(await patch(id, { fwd_ringlength: 181 })).toMatchObject({ status: 422 });
      expect(await patch(id, { fwd_forwarding: '', fwd_ringlength: 181 })).toMatchObject({ status: 400 });
    });

    test('nothing is stored when a check fails', async () => {
      const record = await made();
      await patch(record.id, { user_username: 'Changed', user_email: 'nobody' });
      await patch(record.id, { user_username: 'Changed', fwd_forwarding: record.number });
      expect(await read(record.id)).toEqual(record);
    });
  });

  test('DELETE names employees who forward to the number, and the id is not used again', async () => {
    const gone = await made();
    const other = await made({ fwd_forwardingonunavailable: gone.number, user_username: 'Clara' });
    const { status, body } = await running.asAdmin('DELETE', `/employees/${gone.id}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({ deleted_id: gone.id });
    expect(body.messages.warning).toEqual([expect.stringContaining(`${other.number} Clara`)]);
    expect(await running.asAdmin('GET', `/employees/${gone.id}`)).toMatchObject({ status: 404 });
    expect(await running.asAdmin('POST', '/employees', good({ number: gone.number }))).toMatchObject({
      status: 201,
    });
  });

  test('employees survive a restart', async () => {
    const record = await made({ user_username: 'Наталья 😀' });
    await running.app.restart();
    expect(await read(record.id)).toEqual(record);
  });
});
