import type { Kysely } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';

/**
 * Whoever gives, changes or frees a number, or stores who names one, waits here for the others, on every node: what is read
 * afterwards stays true until the end of the transaction (contract 20.3). Always the first step, so that nobody waits in a ring.
 */
export async function takeTurn(trx: Kysely<Database>): Promise<void> {
  await trx
    .updateTable('number_turns')
    .set((eb) => ({ turn: eb('turn', '+', 1) }))
    .execute();
}
