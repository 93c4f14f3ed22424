import type { DocumentMark, TtlStore } from '../../store/ttl/ttl-store.ts';
import { unpackSnapshot } from './cursor.ts';
import type { Decision } from './decision.ts';

/** One hour without polls, then the cursor is forgotten. */
const LIFETIME_MS = 3_600_000;

/** A position: which state was told, and when. Later positions have a higher `order`. */
export interface CursorMark {
  readonly order: number;
  readonly stateId: string;
}

/** The moment at which the durations of that state were true; `order` counts microseconds. */
export const toldAt = (mark: CursorMark): number => Math.floor(mark.order / 1000);
export const orderAt = (at: number): number => at * 1000;

/** What each API key was told last, under `<prefix>:fwbouncer:cursor:<api_key_id>`. */
export function createCursorStore({ ttl, redisPrefix }: { ttl: TtlStore; redisPrefix: string }) {
  const keyOf = (cursorId: string) => `${redisPrefix}:fwbouncer:cursor:${cursorId}`;
  const markOf = ({ order, bodyId }: DocumentMark): CursorMark => ({ order, stateId: bodyId });

  return {
    /** The mark of a cursor; reading it renews its lifetime. */
    async renew(cursorId: string): Promise<CursorMark | undefined> {
      const mark = await ttl.readMark(keyOf(cursorId), LIFETIME_MS);
      return mark && markOf(mark);
    },

    /** The whole snapshot; `undefined` when there is none or it cannot be read (contract 8.4: no cursor). */
    async read(cursorId: string): Promise<{ mark: CursorMark; decisions: Decision[] } | undefined> {
      const document = await ttl.readDocument(keyOf(cursorId));
      const decisions = document && unpackSnapshot(document.body);
      return decisions && { mark: markOf(document), decisions };
    },

    /** Moves a cursor forwards, never back. The snapshot itself is written only when it is not there already. */
    async move(
      cursorId: string,
      mark: CursorMark,
      known: CursorMark | undefined,
      packed: () => Buffer,
    ): Promise<void> {
      const write = { order: mark.order, bodyId: mark.stateId, ttlMs: LIFETIME_MS };
      if (known?.stateId === mark.stateId) {
        const outcome = await ttl.writeDocument(keyOf(cursorId), write);
        if (outcome !== 'body-needed') return;
      }
      await ttl.writeDocument(keyOf(cursorId), { ...write, body: packed() });
    },

    async remove(cursorId: string): Promise<void> {
      await ttl.delete([keyOf(cursorId)]);
    },
  };
}

export type CursorStore = ReturnType<typeof createCursorStore>;
