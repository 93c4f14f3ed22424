import { createAddressGuard } from './address-guard.js';
import { post } from './post.js';
import { sign } from './signature.js';

const SECOND = 1000;
/** The wait after each failed attempt, as a multiple of the first wait: seconds at first, hours at last. */
const WAITS = [1, 6, 24, 120, 720, 2880, 8640];
const LONGEST_RETRY_AFTER_MS = 3600 * SECOND;
const AT_ONCE = 8;
const MAX_PENDING = 5000;

/** Sends pending deliveries, retrying until they arrive or are given up. */
export function createSender({ context, log, findTarget, resolver }) {
  const { allow_private = '', timeout_seconds = 10, attempts = 8, first_wait_seconds = 5 } = context.settings;
  const guard = createAddressGuard({ allowPrivate: allow_private, ...(resolver && { resolver }) });
  const waiting = [];
  let running = 0;

  function send(event, target, data) {
    if (log.countPending() >= MAX_PENDING) {
      context.log.warn('too many deliveries are pending, one is dropped', { event, target: target.id });
      return undefined;
    }
    const now = Date.now();
    const body = JSON.stringify({ event, time: new Date(now).toISOString(), data });
    const id = log.add({ target: target.id, event, body, now });
    enqueue(id);
    return id;
  }

  /** A few at a time: one slow target must not occupy every connection. */
  function enqueue(id) {
    waiting.push(id);
    next();
  }

  function next() {
    while (running < AT_ONCE && waiting.length > 0) {
      running++;
      void attempt(waiting.shift())
        .catch((error) => context.log.error('a delivery could not be handled', { error: String(error) }))
        .finally(() => {
          running--;
          next();
        });
    }
  }

  async function attempt(id) {
    const row = log.get(id);
    if (row?.state !== 'pending') return;
    const target = await findTarget(row.target);
    if (!target?.enabled) return giveUp(id, 'the target is gone or switched off');
    const outcome = await tryOnce(row, target);
    if (outcome.delivered) return log.delivered(id, { status: outcome.status, now: Date.now() });
    if (!outcome.again || row.attempts + 1 >= attempts) return giveUp(id, outcome.error, outcome.status);
    const wait = outcome.waitMs ?? waitAfter(row.attempts);
    log.failed(id, { status: outcome.status ?? null, error: outcome.error, nextAt: Date.now() + wait });
    context.schedule.after(wait, () => enqueue(id));
  }

  const waitAfter = (failed) => WAITS[Math.min(failed, WAITS.length - 1)] * first_wait_seconds * SECOND;

  function giveUp(id, error, status = null) {
    log.failed(id, { status, error, nextAt: null, now: Date.now() });
    context.log.warn('a delivery is given up', { delivery: Number(id), error });
  }

  async function tryOnce({ id, event, body }, { url, secret }) {
    const timestamp = String(Math.floor(Date.now() / SECOND));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'pbxcore-webhook-sender',
      'x-pbxcore-event': event,
      'x-pbxcore-delivery': String(id),
      'x-pbxcore-timestamp': timestamp,
      'x-pbxcore-signature': sign(secret, timestamp, body),
    };
    try {
      const { status, retryAfter } = await post({
        url,
        body,
        headers,
        guard,
        timeoutMs: timeout_seconds * SECOND,
      });
      if (status >= 200 && status < 300) return { delivered: true, status };
      // Other refusals would not change on a retry.
      const again = status >= 500 || status === 408 || status === 425 || status === 429;
      return { status, again, error: `answered ${status}`, waitMs: again ? asked(retryAfter) : undefined };
    } catch (error) {
      return { again: true, error: String(error.message).slice(0, 300) };
    }
  }

  return {
    send,
    enqueue,
    urlProblem: guard.urlProblem,
    /** Continues what the last run left. */
    resume() {
      const now = Date.now();
      for (const { id, next_at } of log.pending())
        context.schedule.after(Math.max(0, Number(next_at) - now), () => enqueue(id));
    },
  };
}

/** Only seconds are supported; a target cannot postpone deliveries forever. */
function asked(retryAfter) {
  if (!/^\d{1,6}$/.test(retryAfter ?? '')) return undefined;
  return Math.min(Math.max(Number(retryAfter), 1) * SECOND, LONGEST_RETRY_AFTER_MS);
}
