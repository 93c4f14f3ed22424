import { createHmac } from 'node:crypto';

/**
 * A receiver compares this HMAC over the time stamp and the body, so that neither can be changed and an old delivery
 * cannot be replayed later.
 */
export const sign = (secret, timestamp, body) =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
