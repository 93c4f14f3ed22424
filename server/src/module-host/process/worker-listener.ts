import type { Caller } from '../../http/caller.ts';
import type { ModuleShare } from '../../lib/log-line.ts';

/** The call during which a module asked something, with its caller; `undefined` outside of any call. */
export type During = { readonly caller: Caller | undefined } | undefined;

/** The reply to the module: the answer as JSON, empty for nothing, or why there is none. */
type QuestionReply =
  | { readonly t: 'reply'; readonly json: string }
  | { readonly t: 'refusal'; readonly status: number; readonly reasons: readonly string[] };

/** Never rejects. After `isGone`, nothing new is begun. */
export type AnswerQuestion = (
  what: string,
  json: string,
  during: During,
  isGone?: () => boolean,
) => Promise<QuestionReply>;

/** Receives what a module's process sends besides answers to calls. */
export interface WorkerListener {
  /** Answers a question of the module. */
  readonly ask: AnswerQuestion;
  /** It subscribes to events of this type. */
  subscribed(type: string): void;
  /** Its description as unchecked JSON; throwing ends it. Its own `start` follows. */
  described(json: string): void;
  /** Without a share, the line comes from the exchange itself, and is rare. */
  log(level: 'debug' | 'info' | 'warn' | 'error', text: string, details?: unknown, share?: ModuleShare): void;
  /** Called once, if it ended without being asked to. */
  crashed(reason: string): void;
}
