const EVERY_MS = 500;
const TIMES = 10;

/**
 * Resends requests over UDP until they are answered, as any phone does: the engine misses some packets while it
 * reloads its files.
 */
export function createResends<Sent>(send: (message: string | Buffer) => Sent) {
  const waiting = new Map<string, NodeJS.Timeout>();

  return {
    send(message: string | Buffer): Sent {
      const request = requestOf(message.toString('latin1'));
      let left = TIMES;
      const timer = setInterval(() => {
        send(message);
        if (--left === 0) clearInterval(timer);
      }, EVERY_MS);
      waiting.set(request, timer);
      return send(message);
    },
    /** To be called with every incoming message. */
    heard(message: string): void {
      if (message.startsWith('SIP/2.0')) clearInterval(waiting.get(requestOf(message)));
    },
    stop(): void {
      for (const timer of waiting.values()) clearInterval(timer);
    },
  };
}

/** Identical for a request and its answers. */
const requestOf = (message: string): string =>
  ['Call-ID', 'CSeq'].map((name) => new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(message)?.[1]).join(' ');
