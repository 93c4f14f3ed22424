import { EngineAway } from '../../../lib/errors.ts';
import { type AmiMessage, createActionIds, renderAction } from './ami-protocol.ts';

/** The engine understood the action and refused it. */
export class AmiRefused extends Error {
  constructor(action: string, reason: string) {
    super(`${action}: ${reason}`);
    this.name = 'AmiRefused';
  }
}

/** The engine accepted the connection, but does not answer. */
export class EngineSilent extends EngineAway {}

interface Answer {
  readonly answer: AmiMessage;
  /** The items of a list. */
  readonly events: AmiMessage[];
}

interface Question {
  readonly action: string;
  readonly isList: boolean;
  readonly events: AmiMessage[];
  readonly timer: NodeJS.Timeout;
  resolve(answer: Answer): void;
  reject(reason: Error): void;
}

const MAX_LIST = 200_000;

/** Actions that are not answered yet. */
export function createAmiQuestions({ timeoutMs }: { readonly timeoutMs: number }) {
  const nextId = createActionIds();
  const open = new Map<string, Question>();

  function close(id: string, question: Question): void {
    clearTimeout(question.timer);
    open.delete(id);
  }

  function response(id: string, question: Question, message: AmiMessage): void {
    // The events of the list follow.
    if (question.isList && message.EventList?.toLowerCase() === 'start') return;
    close(id, question);
    if (message.Response === 'Error') {
      question.reject(new AmiRefused(question.action, message.Message ?? 'refused'));
    } else question.resolve({ answer: message, events: [] });
  }

  function item(id: string, question: Question, event: AmiMessage): void {
    const state = event.EventList?.toLowerCase();
    if (state === 'complete' || state === 'cancelled') {
      close(id, question);
      question.resolve({ answer: event, events: question.events });
    } else if (question.events.push(event) > MAX_LIST) {
      close(id, question);
      question.reject(new AmiRefused(question.action, 'the list has no end'));
    }
  }

  return {
    ask(
      send: (text: string) => void,
      action: string,
      fields: Readonly<Record<string, string>>,
      isList: boolean,
    ): Promise<Answer> {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const id = nextId();
      const text = renderAction(action, id, fields);
      const timer = setTimeout(() => {
        open.delete(id);
        reject(new EngineSilent(`the telephony engine did not answer ${action}`));
      }, timeoutMs);
      timer.unref();
      open.set(id, { action, isList, events: [], timer, resolve, reject });
      send(text);
      return promise;
    },
    /** True: the message was an answer, not an event for listeners. */
    take(message: AmiMessage): boolean {
      const id = message.ActionID;
      const question = id === undefined ? undefined : open.get(id);
      // Events may have this field too: the wrong answer to a challenge.
      if (message.Event === undefined && message.Response !== undefined) {
        if (id !== undefined && question) response(id, question, message);
        return true;
      }
      if (id === undefined || !question?.isList) return false;
      item(id, question, message);
      return true;
    },
    failAll(cause: Error): void {
      for (const [id, question] of open) {
        close(id, question);
        question.reject(new EngineAway('the connection to the telephony engine was lost', { cause }));
      }
    },
  };
}
