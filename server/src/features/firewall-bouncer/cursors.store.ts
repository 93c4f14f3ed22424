import type { Clock } from '../../lib/clock.ts';
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

interface CursorStoreParts {
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
  readonly clock: Clock;
}

/** What each API key was told last, under `<prefix>:fwbouncer:cursor:<api_key_id>`. */
export function createCursorStore({ ttl, redisPrefix, clock }: CursorStoreParts) {
  /** What was told while the store refused to keep it: it counts all the same, or its removals would never be told. */
  const unsaved = new Map<string, { mark: CursorMark; packed: () => Buffer; until: number }>();
  const keyOf = (cursorId: string) => `${redisPrefix}:fwbouncer:cursor:${cursorId}`;
  const markOf = ({ order, bodyId }: DocumentMark): CursorMark => ({ order, stateId: bodyId });

  return {
    /** The mark of a cursor; reading it renews its lifetime. */
    async renew(cursorId: string): Promise<CursorMark | undefined> {
      const mark = await ttl.readMark(keyOf(cursorId), LIFETIME_MS);
      const kept = laterThan(mark, cursorId);
      if (kept) kept.until = clock.now() + LIFETIME_MS;
      return kept?.mark ?? (mark && markOf(mark));
    },

    /** The whole snapshot; `undefined` when there is none or it cannot be read (contract 8.4: no cursor). */
    async read(cursorId: string): Promise<{ mark: CursorMark; decisions: Decision[] } | undefined> {
      const document = await ttl.readDocument(keyOf(cursorId));
      const kept = laterThan(document, cursorId);
      const mark = kept?.mark ?? (document && markOf(document));
      const body = kept?.packed() ?? document?.body;
      const decisions = body && unpackSnapshot(body);
      return mark && decisions && { mark, decisions };
    },

    /** Moves a cursor forwards, never back. The snapshot itself is written only when it is not there already. */
    async move(
      cursorId: string,
      mark: CursorMark,
      known: CursorMark | undefined,
      packed: () => Buffer,
    ): Promise<void> {
      try {
        await write(cursorId, mark, known, packed, LIFETIME_MS);
        if ((unsaved.get(cursorId)?.mark.order ?? 0) <= mark.order) unsaved.delete(cursorId);
      } catch (error) {
        if ((unsaved.get(cursorId)?.mark.order ?? 0) < mark.order)
          unsaved.set(cursorId, { mark, packed, until: clock.now() + LIFETIME_MS });
        throw error;
      }
    },

    /** Before the end: the last chance of what could not be written. It lives no longer for that. */
    async saveRest(): Promise<void> {
      for (const [cursorId, { mark, packed, until }] of unsaved) {
        const left = until - clock.now();
        if (left > 0) await write(cursorId, mark, undefined, packed, left);
      }
    },

    async remove(cursorId: string): Promise<void> {
      unsaved.delete(cursorId);
      await ttl.delete([keyOf(cursorId)]);
    },
  };

  async function write(
    cursorId: string,
    { order, stateId }: CursorMark,
    known: CursorMark | undefined,
    packed: () => Buffer,
    ttlMs: number,
  ): Promise<void> {
    const document = { order, bodyId: stateId, ttlMs };
    if (known?.stateId === stateId) {
      const outcome = await ttl.writeDocument(keyOf(cursorId), document);
      if (outcome !== 'body-needed') return;
    }
    await ttl.writeDocument(keyOf(cursorId), { ...document, body: packed() });
  }

  function laterThan(stored: DocumentMark | undefined, cursorId: string) {
    const kept = unsaved.get(cursorId);
    return kept && kept.mark.order > (stored?.order ?? 0) && kept.until > clock.now() ? kept : undefined;
  }
}

export type CursorStore = ReturnType<typeof createCursorStore>;
