import type { MessagePort } from 'node:worker_threads';
import { createBatch } from '../batch.ts';
import type { FromWorker, ToWorker } from '../protocol.ts';

const MAX_ASKS = 200;
const MAX_LINES_PER_SECOND = 100;

/** A refusal of the core, as an author would throw it. */
class CoreRefusal extends Error {
  readonly $pbxcore = 'refusal';
  readonly status: number;
  readonly reasons: readonly string[];
  constructor(status: number, reasons: readonly string[]) {
    super(reasons.join('; '));
    this.name = 'Refusal';
    this.status = status;
    this.reasons = reasons;
  }
}

/** The worker's end of the line to the core. */
export function createLink(port: MessagePort) {
  const asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let asks = 0;
  let second = 0;
  let lines = 0;
  const post = createBatch<FromWorker>((messages) => port.postMessage(messages));

  return {
    post,

    /** Asks the core; `during` names the call whose caller's rights count. */
    ask(what: string, args: readonly unknown[], during?: number): Promise<unknown> {
      if (asked.size >= MAX_ASKS)
        return Promise.reject(new CoreRefusal(429, [`more than ${MAX_ASKS} questions at once`]));
      const n = ++asks;
      const json = JSON.stringify(args);
      return new Promise((resolve, reject) => {
        asked.set(n, { resolve, reject });
        post({ t: 'ask', n, during, what, json });
      });
    },

    answered(message: Extract<ToWorker, { t: 'reply' | 'refusal' }>): void {
      const waiting = asked.get(message.n);
      asked.delete(message.n);
      if (message.t === 'refusal') waiting?.reject(new CoreRefusal(message.status, message.reasons));
      else waiting?.resolve(message.json === '' ? undefined : JSON.parse(message.json));
    },

    /** A module that logs in a loop is cut short here, before it costs the core anything. */
    log(level: 'debug' | 'info' | 'warn' | 'error', text: unknown, details?: unknown): void {
      const now = Math.floor(Date.now() / 1000);
      if (now !== second) {
        second = now;
        lines = 0;
      }
      if (++lines > MAX_LINES_PER_SECOND) return;
      let json = '';
      try {
        json = details === undefined ? '' : JSON.stringify(details).slice(0, 4000);
      } catch {
        json = '"details cannot be shown"';
      }
      post({ t: 'log', level, text: String(text).slice(0, 2000), json });
    },
  };
}

export type Link = ReturnType<typeof createLink>;
