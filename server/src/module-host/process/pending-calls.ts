import type { Caller } from '../../http/caller.ts';
import {
  Conflict,
  type Failure,
  Forbidden,
  InvalidFields,
  ModuleAway,
  ModuleFailed,
  NotFound,
  RuleBroken,
  TooManyRequests,
} from '../../lib/errors.ts';
import type { CallMessage, Done, FromWorker, ResultKind, ToWorker } from '../line/protocol.ts';
import type { ModuleLimits } from './limits.ts';

interface Pending {
  readonly caller: Caller | undefined;
  readonly bytes: number;
  readonly timer: NodeJS.Timeout;
  resolve(done: Done): void;
  reject(error: Error): void;
}

interface PendingCallsParts {
  readonly id: string;
  readonly limits: ModuleLimits;
  readonly post: (message: ToWorker) => void;
}

/** Calls that a worker has not answered yet: limits their number, and the time of each. */
export function createPendingCalls({ id, limits, post }: PendingCallsParts) {
  const pending = new Map<number, Pending>();
  let last = 0;
  let bytes = 0;
  let ended: Failure | undefined;
  let whenIdle: (() => void) | undefined;

  function take(n: number): Pending | undefined {
    const found = pending.get(n);
    if (!found) return undefined;
    pending.delete(n);
    bytes -= found.bytes;
    clearTimeout(found.timer);
    if (pending.size === 0) whenIdle?.();
    return found;
  }

  return {
    callerOf: (n: number): { caller: Caller | undefined } | undefined => {
      const found = pending.get(n);
      // A finished call has no caller any more: the module has nobody's rights.
      return found ? { caller: found.caller } : { caller: undefined };
    },

    begin(order: {
      op: number;
      as: ResultKind;
      call: CallMessage;
      caller: Caller | undefined;
    }): Promise<Done> {
      if (ended) return Promise.reject(ended);
      const { op, as, call, caller } = order;
      const size = sizeOf(call);
      if (pending.size >= limits.pendingCalls || bytes + size > limits.pendingBytes)
        return Promise.reject(new ModuleAway(`module ${id} has more to do than it can take`));
      const n = ++last;
      bytes += size;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          take(n)?.reject(new ModuleAway(`module ${id} did not answer in time`));
        }, limits.callMs);
        pending.set(n, { caller, bytes: size, timer, resolve, reject });
        post({ t: 'call', n, op, as, call });
      });
    },

    settle(message: FromWorker): void {
      if (!('n' in message)) return;
      const found = take(message.n);
      if (!found) return;
      if (message.t === 'done') found.resolve(message);
      else if (message.t === 'refused') found.reject(refusalOf(message.status, message.reasons));
      else if (message.t === 'unsendable') found.reject(new ModuleFailed(`module ${id}: ${message.reason}`));
      else found.reject(new ModuleFailed(`module ${id} failed`));
    },

    end(error: Failure): void {
      ended = error;
      for (const n of [...pending.keys()]) take(n)?.reject(error);
    },

    idle: (): Promise<void> =>
      pending.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            whenIdle = resolve;
          }),
  };
}

/** Roughly what a waiting call holds in memory. */
const sizeOf = ({ body, raw, legacy, record }: CallMessage): number =>
  1024 + body.length + (raw ?? legacy?.rawBody ?? '').length + (record?.length ?? 0);

function refusalOf(status: number, reasons: readonly string[]): Failure {
  switch (status) {
    case 400:
      return new InvalidFields(reasons);
    case 403:
      return new Forbidden(reasons);
    case 404:
      return new NotFound(reasons);
    case 409:
      return new Conflict(reasons);
    case 429:
      return new TooManyRequests(reasons.join('; '), 5);
    case 503:
      return new ModuleAway(reasons);
    default:
      return new RuleBroken(reasons);
  }
}
