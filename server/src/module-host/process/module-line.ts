import type { Duplex, Readable } from 'node:stream';
import { shapeOf } from '../../lib/json-depth.ts';
import { BrokenFrame, createFrameReader } from '../line/frames.ts';
import type { FromWorker } from '../line/protocol.ts';
import { readMessage } from './worker-messages.ts';

/** What is read from a module per span of time; the rest waits on its side. */
const SPAN_MS = 100;
const MESSAGES_PER_SPAN = 1_000;
const BYTES_PER_SPAN = 16 * 1024 * 1024;
/** Parsing this many takes at most a tenth of the span, whatever they are. */
const VALUES_PER_SPAN = 10_000;
const MESSAGES_PER_TURN = 100;

/** Contents of one message without its long texts. The largest legitimate one has a hundred lines for people. */
const MAX_SHAPE = { depth: 8, values: 500 };

interface LineParts {
  readonly line: Duplex;
  readonly take: (message: FromWorker) => void;
  /** It sent something that is not a message; nothing is read afterwards. */
  readonly onBroken: (reason: string) => void;
}

/** Reads the messages of a module's process, never so many at once that others would wait. */
export function readLine({ line, take, onBroken }: LineParts): void {
  const waiting: FromWorker[] = [];
  let isBroken = false;
  let isScheduled = false;
  let messages = 0;
  let bytes = 0;
  let values = 0;
  let span = 0;
  const read = createFrameReader(
    (frame) => waiting.push(readMessage(frame)),
    undefined,
    (head) => {
      values += valuesIn(head);
    },
  );

  function work(): void {
    isScheduled = false;
    const now = Math.floor(performance.now() / SPAN_MS);
    if (now !== span) [span, messages, bytes, values] = [now, 0, 0, 0];
    for (let turn = 0; turn < MESSAGES_PER_TURN && messages < MESSAGES_PER_SPAN; turn++) {
      const message = waiting.shift();
      if (!message || isBroken) break;
      messages++;
      take(message);
    }
    const isSpent = messages >= MESSAGES_PER_SPAN || bytes >= BYTES_PER_SPAN || values >= VALUES_PER_SPAN;
    if (waiting.length === 0 && !isSpent) {
      line.resume();
      return;
    }
    line.pause();
    isScheduled = true;
    if (isSpent) setTimeout(work, SPAN_MS).unref();
    else setImmediate(work);
  }

  line.on('data', (piece: Buffer) => {
    if (isBroken) return;
    bytes += piece.length;
    try {
      read(piece);
    } catch (error) {
      isBroken = true;
      if (!(error instanceof BrokenFrame)) throw error;
      onBroken(`it sent something that is not a message: ${error.message}`);
      return;
    }
    if (!isScheduled) work();
  });
}

/** Counted before parsing: only this predicts how long parsing takes. Throws `BrokenFrame`. */
export function valuesIn(head: Buffer): number {
  const { depth, values } = shapeOf(head, MAX_SHAPE);
  if (depth > MAX_SHAPE.depth || values > MAX_SHAPE.values)
    throw new BrokenFrame('a message has too many values or is nested too deeply');
  return values;
}

/** Lines a module may print. */
const LINES = 1_000;
const LINES_SPAN_MS = 10_000;
const OUTPUT_BYTES = 256 * 1024;
const OUTPUT_SPAN_MS = 1_000;

/** Writes what a module prints to the log: lines beyond the limit are dropped, and one that prints too fast waits. */
export function relayOutput(stream: Readable, write: (line: string) => void): void {
  let lines = LINES;
  let bytes = 0;
  const refill = setInterval(() => {
    lines = LINES;
  }, LINES_SPAN_MS).unref();
  const resume = setInterval(() => {
    bytes = 0;
    stream.resume();
  }, OUTPUT_SPAN_MS).unref();
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    bytes += chunk.length;
    for (const line of chunk.split('\n')) if (line !== '' && lines-- > 0) write(line.slice(0, 1000));
    if (bytes > OUTPUT_BYTES) stream.pause();
  });
  stream.on('close', () => {
    clearInterval(refill);
    clearInterval(resume);
  });
}
