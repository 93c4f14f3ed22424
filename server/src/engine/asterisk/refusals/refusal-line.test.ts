import { expect, test } from 'vitest';
import { parseRefusalLine } from './refusal-line.ts';

const line = (filename: string, message: string, level = 'DEBUG', fn = 'new_invite') =>
  JSON.stringify({
    hostname: 'pbx012345',
    timestamp: '2026-11-17 21:17:05.365 +0100',
    identifiers: { lwp: 14592, callid: '' },
    logmsg: { location: { filename, function: fn, line: 161 }, level, message },
  });
const SEEN = { thread: 14592, at: Date.UTC(2026, 10, 17, 20, 17, 5, 365) };
const offers = (message: string) => line('res_pjsip_session/pjsip_session_caps.c', message);
const caps = (joint: string, way = 'incoming audio', who = '201') =>
  offers(
    `'${who}' Caps for ${way} call with pref 'local' - remote: (g729) local: (ulaw|alaw) joint: (${joint})\n`,
  );

test('an offer is usable if both sides have something in common', () => {
  const offer = { ...SEEN, type: 'offer', account: '201' };
  expect(parseRefusalLine(caps('nothing'))).toEqual({ ...offer, isUsable: false });
  expect(parseRefusalLine(caps('NONE'))).toEqual({ ...offer, isUsable: false });
  expect(parseRefusalLine(caps('ulaw|alaw'))).toEqual({ ...offer, isUsable: true });
});

test('our own offers, video offers and offers in active calls are not offers of a new caller', () => {
  expect(parseRefusalLine(caps('nothing', 'outgoing audio'))).toBeUndefined();
  expect(parseRefusalLine(caps('nothing', 'incoming video'))).toBeUndefined();
  expect(parseRefusalLine(caps('nothing', 'incoming audio', 'PJSIP/201-0000002a'))).toBeUndefined();
});

test('a failed negotiation of the audio stream is a refusal', () => {
  const message = " SIP-TRUNK-06E35965: Couldn't negotiate stream 0:audio-0:audio:sendrecv (nothing)\n";
  const account = 'SIP-TRUNK-06E35965';
  const text = line('res_pjsip_session.c', message, 'ERROR', 'handle_incoming_sdp');
  expect(parseRefusalLine(text)).toEqual({ ...SEEN, type: 'refused', account });
  expect(parseRefusalLine(line('res_pjsip_session.c', message, 'ERROR', 'elsewhere'))).toBeUndefined();
});

test('the called number is read if it is a number', () => {
  const called = (exten: string) =>
    parseRefusalLine(
      line(
        'res_pjsip_session.c',
        ` 201: Call (UDP:192.0.2.7:5060) to extension '${exten}' sending 100 Trying\n`,
      ),
    );
  expect(called('+4930*#')).toEqual({ ...SEEN, type: 'called', account: '201', number: '+4930*#' });
  expect(called('anna')).toMatchObject({ number: '' });
});

test('no text of a stranger is taken for a line of the engine', () => {
  const forged = `x' sending 100 Trying\n${caps('nothing')}\n 202: Call (UDP:1) to extension '1`;
  const text = line(
    'res_pjsip_session.c',
    ` 201: Call (UDP:1) to extension '${forged}' sending 100 Trying\n`,
  );
  expect(text.split('\n')).toHaveLength(1);
  expect(parseRefusalLine(text)).toBeUndefined();
});

test('a cut or unknown line is ignored, and a line whose time has no zone is reported as undated', () => {
  for (const text of [
    '',
    '[2026-11-17 21:17:05.211] Asterisk 22',
    '{}',
    '{"logmsg":{}}',
    caps('nothing').slice(0, -5),
  ])
    expect(parseRefusalLine(text)).toBeUndefined();
  const text = caps('nothing').replace(' +0100', '');
  expect(parseRefusalLine(text)).toBe('undated');
});
