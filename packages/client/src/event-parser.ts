/** One block of a stream; a block without `data` may still have an id. */
interface ReceivedBlock {
  readonly event: string;
  readonly data: string;
}

interface ParserHandlers {
  onBlock(block: ReceivedBlock): void;
  onId(id: string): void;
  /** How long to wait before reconnecting, in milliseconds. */
  onRetry(ms: number): void;
}

/** Parses server-sent events as the WHATWG defines them, in pieces of any size. */
export function createEventParser({ onBlock, onId, onRetry }: ParserHandlers) {
  let rest = '';
  let event = '';
  let data: string[] = [];
  let id: string | undefined;

  function dispatch(): void {
    if (id !== undefined) onId(id);
    if (data.length > 0) onBlock({ event: event || 'message', data: data.join('\n') });
    event = '';
    data = [];
    id = undefined;
  }

  function line(text: string): void {
    if (text === '') {
      dispatch();
      return;
    }
    const colon = text.indexOf(':');
    if (colon === 0) return; // a comment
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) onRetry(Number(value));
  }

  return {
    take(piece: string): void {
      rest += piece;
      // A carriage return at the very end may be half of a line break.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() as string;
      for (const text of lines) line(text);
    },
  };
}
