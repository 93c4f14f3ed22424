import { randomUUID } from 'node:crypto';
import { isSecurityEvent, readSecurityEvent } from './security-message.ts';

/** Null prototype; repeated keys are joined with line feeds. Every value is hostile: callers choose their names. */
export type AmiMessage = Readonly<Record<string, string>>;

const MAX_LINE = 256 * 1024;
/** The whole dialplan of a large exchange is about 5 MB of command output. */
const MAX_MESSAGE = 32 * 1024 * 1024;
const END = '\r\n';

export class AmiTooLarge extends Error {
  constructor(what: string) {
    super(`the engine sent a ${what} that is too large`);
    this.name = 'AmiTooLarge';
  }
}

interface ReaderOptions {
  readonly onMessage: (message: AmiMessage) => void;
  readonly maxLine?: number;
  readonly maxMessage?: number;
}

/** Takes text in pieces of any size and emits whole messages. Unusable once it has thrown `AmiTooLarge`. */
export function createAmiReader({
  onMessage,
  maxLine = MAX_LINE,
  maxMessage = MAX_MESSAGE,
}: ReaderOptions): (chunk: string) => void {
  let rest = '';
  let message: Record<string, string> | undefined;
  /**
   * Reader of a security event, which holds a stranger's text: it ends where its grammar says, not at any blank line.
   */
  let security: ReturnType<typeof readSecurityEvent> | undefined;
  let size = 0;

  function end(whole: AmiMessage | undefined): void {
    message = undefined;
    security = undefined;
    size = 0;
    if (whole) onMessage(whole);
  }

  function line(text: string): void {
    size += text.length + END.length;
    if (size > maxMessage) throw new AmiTooLarge('message');
    if (security) {
      const whole = security(text);
      if (whole) end(whole);
      return;
    }
    if (text === '') {
      end(message);
      return;
    }
    if (!message && isSecurityEvent(text)) {
      security = readSecurityEvent(text);
      return;
    }
    const colon = text.indexOf(':');
    // Nothing but the greeting is known to have no key.
    if (colon <= 0) return;
    const key = text.slice(0, colon);
    const value = text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    message ??= Object.create(null) as Record<string, string>;
    const before = message[key];
    message[key] = before === undefined ? value : `${before}\n${value}`;
  }

  return (chunk) => {
    const text = rest + chunk;
    let from = 0;
    for (let end = text.indexOf(END); end >= 0; end = text.indexOf(END, from)) {
      if (end - from > maxLine) throw new AmiTooLarge('line');
      line(text.slice(from, end));
      from = end + END.length;
    }
    rest = text.slice(from);
    if (rest.length > maxLine) throw new AmiTooLarge('line');
  };
}

/** The bytes of one action. A value with a line break could begin a second one, so it is refused here for everybody. */
export function renderAction(name: string, id: string, fields: Readonly<Record<string, string>>): string {
  const lines = [['Action', name], ['ActionID', id], ...Object.entries(fields)].map(([key, value]) => {
    if (!/^[A-Za-z][\w()-]*$/.test(key as string)) throw new TypeError(`${key} is no key of an action`);
    if (/[\r\n\0]/.test(value as string)) throw new TypeError(`${key} holds a line break`);
    return `${key}: ${value}${END}`;
  });
  return `${lines.join('')}${END}`;
}

/** Ids that no other client of the same engine uses. */
export function createActionIds(): () => string {
  const prefix = randomUUID().slice(0, 8);
  let count = 0;
  return () => `${prefix}-${++count}`;
}
