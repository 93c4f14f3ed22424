interface Invitation {
  /** Where the caller is; it listens on port 5099. */
  readonly self: string;
  readonly host: string;
  /** The called number. */
  readonly number: string;
  /** The From header's value up to its tag, sent unchanged. */
  readonly from: string;
  /** Distinguishes this call from others of the test. */
  readonly id: string;
  /** Defaults to `id`. */
  readonly callId?: string;
  readonly seq?: number;
  /** Extra header lines. */
  readonly more?: readonly string[];
  /** Offered RTP profile and codecs. */
  readonly media?: string;
}

/** A call as bytes, for requests that no phone would send. */
export function invite(invitation: Invitation): Buffer {
  const { self, host, number, from, id, callId = id, seq = 1, more = [] } = invitation;
  const { media = 'RTP/AVP 0' } = invitation;
  const sdp = `v=0\r\no=x 1 1 IN IP4 ${self}\r\ns=-\r\nc=IN IP4 ${self}\r\nt=0 0\r\nm=audio 30000 ${media}\r\n`;
  const lines = [
    `INVITE sip:${number}@${host} SIP/2.0`,
    `Via: SIP/2.0/UDP ${self}:5099;branch=z9hG4bK${id}-${seq}`,
    `From: ${from};tag=${id}`,
    `To: <sip:${number}@${host}>`,
    `Call-ID: ${callId}`,
    `CSeq: ${seq} INVITE`,
    `Contact: <sip:x@${self}:5099>`,
    'Max-Forwards: 70',
    ...more,
    'Content-Type: application/sdp',
    `Content-Length: ${sdp.length}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${sdp}`);
}
