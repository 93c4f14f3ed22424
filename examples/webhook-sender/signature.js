import { createHmac } from 'node:crypto';

/**
 * What a receiver compares: an HMAC over the time stamp and the body, so that neither can be changed and an old
 * delivery cannot be sent again later.
 */
export const sign = (secret, timestamp, body) =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
