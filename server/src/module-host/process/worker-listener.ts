import type { Caller } from '../../http/caller.ts';
import type { ModuleShare } from '../../lib/log-line.ts';

/** The call that a module asked something in, with its caller; `undefined` outside of any. */
export type During = { readonly caller: Caller | undefined } | undefined;

/** What goes back to the module: its answer as JSON, empty for nothing, or why there is none. */
type QuestionReply =
  | { readonly t: 'reply'; readonly json: string }
  | { readonly t: 'refusal'; readonly status: number; readonly reasons: readonly string[] };

/** Never rejects. What has not begun when `isGone` is not begun any more. */
export type AnswerQuestion = (
  what: string,
  json: string,
  during: During,
  isGone?: () => boolean,
) => Promise<QuestionReply>;

/** Hears what a module's process says besides answers to calls. */
export interface WorkerListener {
  /** Answers a question of the module. */
  readonly ask: AnswerQuestion;
  /** It wants to be told of events of this type. */
  subscribed(type: string): void;
  /** What it says about itself, as JSON that nobody has checked; throwing ends it. Its own `start` follows. */
  described(json: string): void;
  /** Without a share it is the exchange that says it, and seldom. */
  log(level: 'debug' | 'info' | 'warn' | 'error', text: string, details?: unknown, share?: ModuleShare): void;
  /** Once, when it ended although nobody asked it to. */
  crashed(reason: string): void;
}
