import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { Conflict } from '../../../lib/errors.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { ShownState } from './provider-status.ts';

/** A change of state. Nothing recorded means `UNKNOWN`. */
export interface ProviderMove {
  /** Milliseconds. */
  readonly timestamp: number;
  readonly state: ShownState;
  readonly previous: ShownState;
}

/** A trunk that flaps all day must not fill the disk. */
const MOVES_KEPT = 5000;

/** Every move of every provider; those from or to `UNKNOWN` are kept for the statistics but are not history. */
export function createProviderHistoryStore({ db, clock }: { db: Kysely<Database>; clock: Clock }) {
  const movesOf = (id: string) =>
    db
      .selectFrom('provider_history')
      .select(['seq', 'timestamp', 'state', 'previous'])
      .where('provider_id', '=', id);

  async function append(id: string, state: ShownState): Promise<void> {
    const last = await movesOf(id).orderBy('seq', 'desc').limit(1).executeTakeFirst();
    const previous = last?.state ?? 'UNKNOWN';
    if (state === previous) return;
    const seq = (last?.seq ?? 0) + 1;
    const timestamp = Math.max(clock.now(), last?.timestamp ?? 0);
    await db
      .insertInto('provider_history')
      .columns(['provider_id', 'seq', 'timestamp', 'state', 'previous'])
      // Nothing is kept of a provider that has just been deleted.
      .expression((eb) =>
        eb
          .selectFrom('sip_providers')
          .select([
            'id',
            eb.val(seq).as('seq'),
            eb.val(timestamp).as('timestamp'),
            eb.val(state).as('state'),
            eb.val(previous).as('previous'),
          ])
          .where('id', '=', id),
      )
      .execute();
    await db
      .deleteFrom('provider_history')
      .where('provider_id', '=', id)
      .where('seq', '<=', seq - MOVES_KEPT)
      .execute();
  }

  return {
    /** Stores a state if it is a move. If another node was first, compares with its move again. */
    async record(id: string, state: ShownState): Promise<void> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await append(id, state);
        } catch (error) {
          if (!(error instanceof Conflict) || attempt === 5) throw error;
        }
      }
    },

    /** The newest first. */
    events: (id: string, limit: number): Promise<ProviderMove[]> =>
      movesOf(id)
        .where('state', '<>', 'UNKNOWN')
        .where('previous', '<>', 'UNKNOWN')
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute(),

    /** All that is kept, the oldest first. */
    moves: (id: string): Promise<ProviderMove[]> => movesOf(id).orderBy('seq').execute(),
  };
}

export type ProviderHistoryStore = ReturnType<typeof createProviderHistoryStore>;
