import type { Kysely } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';

/**
 * Lets transactions that give, change or free a number, or store references to one, wait for each other on all nodes:
 * what is read afterwards stays true until the end of the transaction (contract 20.3). Always the first step, so that
 * there is no deadlock.
 */
export async function takeTurn(trx: Kysely<Database>): Promise<void> {
  await trx
    .updateTable('number_turns')
    .set((eb) => ({ turn: eb('turn', '+', 1) }))
    .execute();
}
