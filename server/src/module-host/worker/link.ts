import { createBatch } from '../line/batch.ts';
import { frameOf } from '../line/frames.ts';
import { createLogBudget } from '../line/log-budget.ts';
import { MAX_ASKED_LENGTH, MAX_ASKS } from '../line/message-sizes.ts';
import type { FromWorker, ToWorker } from '../line/protocol.ts';

/** A refusal of the core, in the same form as an author's. */
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

/** The module's end of the line to the core. */
export function createLink(write: (bytes: Buffer) => void) {
  const asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let asks = 0;
  const mayLog = createLogBudget();
  const post = createBatch<FromWorker>((messages) => write(Buffer.concat(messages.map(frameOf))));

  function askJson(what: string, json: string, during?: number): Promise<unknown> {
    if (asked.size >= MAX_ASKS)
      return Promise.reject(new CoreRefusal(429, [`more than ${MAX_ASKS} requests at once`]));
    if (json.length > MAX_ASKED_LENGTH)
      return Promise.reject(new CoreRefusal(422, [`more than ${MAX_ASKED_LENGTH} bytes at once`]));
    const n = ++asks;
    return new Promise((resolve, reject) => {
      asked.set(n, { resolve, reject });
      post({ t: 'ask', n, during, what, json });
    });
  }

  return {
    post,
    /** For the last message: nothing follows it, so there is nothing to batch. */
    postNow: (message: FromWorker): void => write(frameOf(message)),

    /** Asks the core; `during` names the call whose caller's rights apply. */
    ask: (what: string, args: readonly unknown[], during?: number): Promise<unknown> =>
      askJson(what, JSON.stringify(args), during),
    /** The same with arguments that are JSON already. */
    askJson,

    answered(message: Extract<ToWorker, { t: 'reply' | 'refusal' }>): void {
      const waiting = asked.get(message.n);
      asked.delete(message.n);
      if (message.t === 'refusal') waiting?.reject(new CoreRefusal(message.status, message.reasons));
      else waiting?.resolve(message.json === '' ? undefined : JSON.parse(message.json));
    },

    /** Stops a module that logs in a loop here, before it costs the core anything. */
    log(level: 'debug' | 'info' | 'warn' | 'error', text: unknown, details?: unknown): void {
      if (!mayLog()) return;
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
