/** Scenarios for sipp, as XML. Fields come from rows: 0 own number, 1 credentials, 2 called number. */

const request = (lines: string, body = '') =>
  `<send retrans="500"><![CDATA[\n${lines.trim()}\nContent-Length: ${body ? '[len]' : '0'}\n\n${body}\n]]></send>\n`;

// Digits as events, as every phone offers: without them, the exchange would listen for digits in the sound.
const SDP = `v=0
o=sipp 1 1 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[media_ip_type] [media_ip]
t=0 0
m=audio [media_port] RTP/AVP 0 101
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
a=fmtp:101 0-16
`;

const from = (method: string, seq: number, to: string, extra = '') => `
${method} SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:[field0]@[remote_ip]>;tag=[pid]c[call_number]
${to}
Call-ID: [call_id]
CSeq: ${seq} ${method.split(' ')[0]}
Contact: <sip:[field0]@[local_ip]:[local_port]>
Max-Forwards: 70
${extra}`;

const ACK_REFUSED = `<send><![CDATA[
ACK sip:[field2]@[remote_ip]:[remote_port] SIP/2.0
[last_Via:]
[last_From:]
[last_To:]
Call-ID: [call_id]
CSeq: 1 ACK
Max-Forwards: 70
Content-Length: 0

]]></send>
`;

/** Registers each row; 401 means that its credentials are refused, 403 that it is refused without a challenge. */
export function registerScenario({ expires = 120, outcome = 200 } = {}): string {
  const to = 'To: <sip:[field0]@[remote_ip]>';
  const register = (seq: number, extra: string) =>
    request(from('REGISTER sip:[remote_ip]:[remote_port]', seq, to, `${extra}Expires: ${expires}`));
  if (outcome === 403) return scenario(register(1, ''), '<recv response="403"/>\n');
  return scenario(
    register(1, ''),
    '<recv response="401" auth="true"/>\n',
    register(2, '[field1]\n'),
    `<recv response="${outcome}"/>\n`,
  );
}

/** Calls, waits for the answer, plays the sound for some time, and hangs up. */
export function callScenario({ talkMs, sound }: { talkMs: number; sound?: string }): string {
  const to = 'To: <sip:[field2]@[remote_ip]>';
  const invite = (seq: number, extra: string) =>
    request(
      from('INVITE sip:[field2]@[remote_ip]:[remote_port]', seq, to, `${extra}Content-Type: application/sdp`),
      SDP,
    );
  return scenario(
    invite(1, ''),
    '<recv response="100" optional="true"/>\n<recv response="401" auth="true"/>\n',
    ACK_REFUSED,
    invite(2, '[field1]\n'),
    '<recv response="100" optional="true"/>\n<recv response="180" optional="true"/>\n<recv response="183" optional="true"/>\n',
    '<recv response="200" rrs="true" rtd="true"/>\n',
    request(from('ACK [next_url]', 2, '[last_To:]', '[routes]')).replace(' retrans="500"', ''),
    play(sound),
    `<pause milliseconds="${talkMs}"/>\n`,
    request(from('BYE [next_url]', 3, '[last_To:]', '[routes]')),
    '<recv response="200"/>\n',
  );
}

const answer = (status: string, body = '') =>
  request(
    `SIP/2.0 ${status}
[last_Via:]
[last_From:]
[last_To:];tag=[pid]s[call_number]
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>${body ? '\nContent-Type: application/sdp' : ''}`,
    body,
  );
const atOnce = (text: string) => text.replace(' retrans="500"', '');
/** A call's scenario begins with this, so that a probed phone answers. */
const OPTIONS_OR_INVITE =
  '<recv request="OPTIONS" optional="true" next="probe"/>\n<recv request="INVITE" crlf="true"/>\n';
const PROBE = `<label id="probe"/>\n${atOnce(answer('200 OK'))}<label id="end"/>\n`;

/** Answers every call and plays the sound until the caller hangs up. */
export const answerScenario = ({ sound }: { sound?: string } = {}): string =>
  scenario(
    OPTIONS_OR_INVITE,
    atOnce(answer('180 Ringing')),
    answer('200 OK', SDP),
    '<recv request="ACK"/>\n',
    play(sound),
    '<recv request="BYE"/>\n',
    atOnce(answer('200 OK')).replace('<send>', '<send next="end">').replace(';tag=[pid]s[call_number]', ''),
    PROBE,
  );

/** Refuses every call, such as with `486 Busy Here`. */
export const refuseScenario = (status: string): string =>
  scenario(OPTIONS_OR_INVITE, answer(status), '<recv request="ACK" next="end"/>\n', PROBE);

const play = (sound: string | undefined) =>
  sound ? `<nop><action><exec rtp_stream="${sound},-1,0"/></action></nop>\n` : '';

const scenario = (...steps: string[]): string =>
  `<?xml version="1.0"?>\n<scenario name="pbxcore">\n${steps.join('')}</scenario>\n`;
