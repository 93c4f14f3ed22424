/**
 * SIP messages that may break a parser, modelled on RFC 4475: unusual but valid, invalid, and not SIP at all. `HOST`
 * is their destination, `SELF` their source; each has its own branch, tag and Call-ID.
 */
export interface TortureMessage {
  readonly name: string;
  readonly bytes: Buffer;
}

interface Parts {
  readonly line?: string;
  readonly method?: string;
  readonly via?: string;
  readonly from?: string;
  readonly to?: string;
  readonly cseq?: string;
  readonly contact?: string;
  readonly maxForwards?: string;
  /** Extra header lines. */
  readonly more?: readonly string[];
  /** Header lines to leave out, given by how the line begins. */
  readonly without?: readonly string[];
  readonly body?: string;
  readonly contentLength?: string;
}

const SDP = [
  'v=0',
  'o=t 1 1 IN IP4 SELF',
  's=-',
  'c=IN IP4 SELF',
  't=0 0',
  'm=audio 30000 RTP/AVP 0',
  '',
].join('\r\n');

const messages: Readonly<Record<string, Parts | string | Buffer>> = {
  'folded lines, compact names, strange spaces': {
    line: 'INVITE sip:vivekg@HOST;unknownparam SIP/2.0',
    via: 'SIP  / 2.0\r\n /UDP\r\n    SELF;branch=BRANCH',
    from: '"J Rosenberg \\\\\\"" <sip:jdrosen@HOST>\r\n ;\r\n tag = TAG',
    to: ' sip:vivekg@HOST ;   tag    = 1918181833n',
    maxForwards: '0068',
    more: [
      'NewFangledHeader:   newfangled value\r\n continued newfangled value',
      'UnknownHeaderWithUnusualValue: ;;,,;;,;',
      'Route:\r\n <sip:services.example.com;lr;unknownwith=value;unknown-no-value>',
      's: ',
    ],
  },
  'every character that a token may have': {
    method: "!interesting-Method0123456789_*+`.%indeed'~",
    from: '"BEL:\\\u0007 NUL:\\\u0000 DEL:\\\u007f" <sip:1_unusual.URI~(to-be!sure)&isn\'t+it$/crazy?,/;;*@HOST>;tag=TAG',
  },
  'escapes in the user part': { line: 'INVITE sip:sips%3Auser%40example.com@HOST SIP/2.0' },
  'escaped null characters': {
    method: 'REGISTER',
    line: 'REGISTER sip:HOST SIP/2.0',
    to: 'sip:null-%00-null@HOST',
  },
  'a percent sign in the method': { method: 'RE%47IST%45R', line: 'RE%47IST%45R sip:HOST SIP/2.0' },
  'very long values': {
    from: `"${'I have a user name of extreme proportion '.repeat(40)}" <sip:${'longuser'.repeat(60)}@HOST>;tag=TAG${'9'.repeat(900)}`,
    more: [`Unknown-${'Long'.repeat(100)}: ${'value '.repeat(400)}`],
  },
  'semicolons in the user part': {
    line: 'OPTIONS sip:user;par=u%40example.net@HOST SIP/2.0',
    method: 'OPTIONS',
  },
  'more than one body part': {
    more: ['Content-Type: multipart/mixed;boundary=7a9cbec02ceef655'],
    body: '--7a9cbec02ceef655\r\nContent-Type: text/plain\r\n\r\nHello\r\n--7a9cbec02ceef655--\r\n',
  },
  'separators where none belong': {
    contact: '"Joe" <sip:joe@SELF>;;;;',
    via: 'SIP/2.0/UDP SELF;branch=BRANCH;,,;',
  },
  'a Content-Length beyond the message': { body: SDP, contentLength: '9999' },
  'a negative Content-Length': { body: SDP, contentLength: '-999' },
  'a Content-Length twice': { body: SDP, more: ['Content-Length: 5', 'l: 12'] },
  'numbers that no machine holds': {
    method: 'REGISTER',
    cseq: '36893488147419103232 REGISTER',
    maxForwards: '300',
    more: ['Expires: 10000000000000000000000000000000'],
    contact: '<sip:user@SELF>;expires=280297596632815',
  },
  'a quoted name without an end': { to: '"Mr. J. User <sip:j.user@HOST>' },
  'a request address in brackets': { line: 'INVITE <sip:user@HOST> SIP/2.0' },
  'a space inside of the request address': { line: 'INVITE sip:user@HOST; lr SIP/2.0' },
  'two spaces between the words of the first line': { line: 'INVITE  sip:user@HOST  SIP/2.0' },
  'a space after the first line': { line: 'OPTIONS sip:HOST SIP/2.0 ', method: 'OPTIONS' },
  'headers hidden in the request address': { line: 'INVITE sip:user@HOST?Route=%3Csip:HOST%3E SIP/2.0' },
  'a date of no place': { more: ['Date: Fri, 01 Jan 2010 16:00:00 EST'] },
  'an address with a question mark and no brackets': {
    contact: 'sip:user@SELF?Route=%3Csip:sip.example.com%3E',
  },
  'spaces inside of an address': { to: '"Watson, Thomas" < sip:t.watson@HOST >' },
  'a display name that no token has': { from: 'Bell, Alexander <sip:a.g.bell@HOST>;tag=TAG' },
  'a version of the future': {
    line: 'OPTIONS sip:t.watson@HOST SIP/7.0',
    method: 'OPTIONS',
    via: 'SIP/7.0/UDP SELF;branch=BRANCH',
  },
  'a method that CSeq contradicts': { line: 'OPTIONS sip:user@HOST SIP/2.0', cseq: '8 INVITE' },
  'an unknown method that CSeq contradicts': { line: 'NEWMETHOD sip:user@HOST SIP/2.0', cseq: '8 INVITE' },
  'an empty branch': { via: 'SIP/2.0/UDP SELF;branch=z9hG4bK' },
  'no branch, as before RFC 3261': { via: 'SIP/2.0/UDP SELF' },
  'nothing of what is required': { without: ['From', 'To', 'Call-ID', 'CSeq', 'Max-Forwards'] },
  'no Via': { without: ['Via'] },
  'an unknown scheme': {
    line: 'OPTIONS nobodyKnowsThisScheme:totallyopaquecontent SIP/2.0',
    method: 'OPTIONS',
  },
  'the scheme of the web': { line: 'OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0', method: 'OPTIONS' },
  'unknown schemes in headers': {
    method: 'REGISTER',
    to: 'isbn:2983792873',
    from: '<http://www.example.com>;tag=TAG',
    contact: '<name:John_Smith>',
  },
  'extensions that nobody has': {
    more: ['Require: nothingSupportsThis, nothingSupportsThisEither', 'Proxy-Require: noProxiesSupportThis'],
  },
  'a body of an unknown kind': {
    more: ['Content-Type: application/unknownformat'],
    body: '<audio>\r\n <pcmu port="443"/>\r\n</audio>\r\n',
  },
  'an unknown way to authorize': {
    method: 'REGISTER',
    more: ['Authorization: NoOneKnowsThisScheme opaque-data=here'],
  },
  'an authorization full of holes': {
    method: 'REGISTER',
    more: ['Authorization: Digest username="201", realm=, nonce="", uri="", response="\u0000"'],
  },
  'every header twice': {
    more: [
      'Via: SIP/2.0/UDP SELF;branch=BRANCH2',
      'From: <sip:b@HOST>;tag=2',
      'To: <sip:c@HOST>',
      'Call-ID: other',
      'CSeq: 59 REGISTER',
    ],
  },
  'no hop left': { method: 'OPTIONS', maxForwards: '0' },
  'a header hidden in a contact': {
    method: 'REGISTER',
    contact: '<sip:user@SELF?Route=%3Csip:sip.example.com%3E>',
  },
  'an offer nobody can accept': {
    body: SDP,
    more: ['Accept: text/nobodyKnowsThis', 'Content-Type: application/sdp'],
  },
  'SDP of negative length lines': {
    body: 'v=0\r\no=\r\nm=audio 99999999999 RTP/AVP\r\nc=IN IP4\r\n',
    more: ['Content-Type: application/sdp'],
  },
  'a name that folds into another header': {
    from: '"Innocent\r\n X-Evil: yes\r\n P-Asserted-Identity: <sip:100@HOST>" <sip:x@HOST>;tag=TAG',
  },
  'an answer nobody asked for':
    'SIP/2.0 200 = 2**3 * 5**2 но сто девяносто девять - простое\r\nVia: SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1324923\r\nCall-ID: unreason\r\nCSeq: 35 INVITE\r\nContent-Length: 0\r\n\r\n',
  'an answer with a status beyond all numbers':
    'SIP/2.0 4294967301 better not break the receiver\r\nVia: SIP/2.0/UDP SELF;branch=z9hG4bK1\r\nCSeq: 353494 INVITE\r\nCall-ID: bcast\r\n\r\n',
  'an answer that went by everybody':
    'SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1;received=255.255.255.255\r\nCSeq: 353494 INVITE\r\n\r\n',
  'line ends of another kind':
    'INVITE sip:201@HOST SIP/2.0\nVia: SIP/2.0/UDP SELF\nFrom: a\nTo: b\nCall-ID: c\nCSeq: 1 INVITE\n\n',
  nothing: Buffer.alloc(0),
  'only line ends': '\r\n\r\n\r\n\r\n',
  'a word': 'hello',
  'a request of the web': 'GET /pbxcore/api/v3/system:ping HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'null bytes': Buffer.alloc(1200),
  'bytes without a meaning': Buffer.from(
    Array.from({ length: 1400 }, (_, i) => (i * 73 + (i >> 3) * 91) & 255),
  ),
  'the largest datagram there is': `OPTIONS sip:HOST SIP/2.0\r\nX: ${'y'.repeat(60_000)}\r\n\r\n`,
};

export function tortureMessages(host: string, self: string): TortureMessage[] {
  return Object.entries(messages).map(([name, parts], index) => {
    if (Buffer.isBuffer(parts)) return { name, bytes: parts };
    const text = (typeof parts === 'string' ? parts : written(parts))
      .replaceAll('HOST', host)
      .replaceAll('SELF', self)
      .replaceAll('BRANCH', `z9hG4bKtorture${index}`)
      .replaceAll('TAG', `torture${index}`)
      .replaceAll('CALLID', `torture-${index}@${self}`);
    return { name, bytes: Buffer.from(text) };
  });
}

function written(parts: Parts): string {
  const { method = parts.line?.split(' ')[0] ?? 'INVITE', body = '' } = parts;
  const headers = [
    `Via: ${parts.via ?? 'SIP/2.0/UDP SELF;branch=BRANCH'}`,
    `From: ${parts.from ?? '<sip:caller@HOST>;tag=TAG'}`,
    `To: ${parts.to ?? '<sip:callee@HOST>'}`,
    'Call-ID: CALLID',
    `CSeq: ${parts.cseq ?? `1 ${method}`}`,
    `Contact: ${parts.contact ?? '<sip:caller@SELF>'}`,
    `Max-Forwards: ${parts.maxForwards ?? '70'}`,
    ...(parts.more ?? []),
    `Content-Length: ${parts.contentLength ?? Buffer.byteLength(body)}`,
  ].filter((header) => !parts.without?.some((name) => header.startsWith(`${name}:`)));
  return `${parts.line ?? `${method} sip:callee@HOST SIP/2.0`}\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}
