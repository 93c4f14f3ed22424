import { describe, expect, test } from 'vitest';
import { insertLegs, leg } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

const PARAMETERS = [
  ...[
    'limit',
    'offset',
    'dateFrom',
    'dateTo',
    'src_num',
    'dst_num',
    'did',
    'disposition',
    'linkedid',
    'idFrom',
  ],
  ...['search', 'sort', 'order', 'grouped', 'format', 'provider', 'token', 'deleteRecording'],
];
const TEXTS = [
  "' or '1'='1",
  "'; drop table cdr_general; --",
  '%',
  '_',
  '\\',
  '<script>alert(1)</script>',
  '$(reboot)',
  'a\r\nX-Injected: 1',
  'a\0b',
  '\u202e',
  '😀',
  '__proto__',
  '-1',
  '9'.repeat(400),
  '1e9',
  '0x10',
  'null',
  '9223372036854775808',
];
const PATHS = ['/cdr', '/cdr:export', '/cdr:getMetadata', '/cdr:getStatsByProvider', '/cdr:playback'];

describe.each(availablePairs)('on $name', ({ open }) => {
  const held = useApp(open);

  test.each(PARAMETERS)('no text sent as %s causes a defect or is executed', async (parameter) => {
    await insertLegs(held.stores, leg({ linkedid: `kept-${parameter}` }));
    for (const text of TEXTS) {
      for (const path of PATHS) {
        const { status } = await held.asAdmin('GET', `${path}?${parameter}=${encodeURIComponent(text)}`);
        expect([200, 400, 403, 422], `${path} ${parameter}=${text}`).toContain(status);
      }
    }
    expect((await held.asAdmin('GET', `/cdr/kept-${parameter}`)).status).toBe(200);
  });

  test.each(TEXTS)('%j as an id is not found', async (text) => {
    for (const verb of ['GET', 'DELETE'])
      expect((await held.asAdmin(verb, `/cdr/${encodeURIComponent(text)}`)).status).toBe(404);
  });

  test.each(TEXTS.filter((text) => !text.includes('\0')))(
    '%j stored by another tool comes back unchanged',
    async (text) => {
      const fields = {
        src_num: text,
        dst_num: text,
        src_name: text,
        did: text,
        disposition: text,
        recordingfile: text,
      };
      await insertLegs(held.stores, leg({ linkedid: 'odd', UNIQUEID: text, ...fields }));
      const { recordingfile: _, ...kept } = fields;
      const call = (await held.asAdmin('GET', '/cdr/odd')).body.data;
      expect(call).toMatchObject({ src_num: text, src_name: text, did: text, disposition: text });
      expect(call.records[0]).toMatchObject({ ...kept, UNIQUEID: text, recordingfile: '' });
      expect((await held.asAdmin('DELETE', '/cdr/odd')).body.data.linkedRecordsDeleted).toBe(0);
    },
  );

  test.each(["o'dd.1", 'x%y.1', '😀.1', 'a b.1', '..'])('a call may be named %s', async (linkedid) => {
    await insertLegs(held.stores, leg({ linkedid }));
    const path = linkedid === '..' ? '/cdr?linkedid=..' : `/cdr/${encodeURIComponent(linkedid)}`;
    expect((await held.asAdmin('GET', path)).status).toBe(200);
  });
});
