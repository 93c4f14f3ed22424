import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { createFlowRecordStore } from './flow-records.store.ts';
import { type Holder, holderOfRecord, type ReservedNumbers, reservedHolders } from './holders.ts';
import { createNumberDesk, type NumberDesk } from './number-desk.ts';
import { takeTurn } from './turns.ts';

interface DirectoryParts {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly reserved: ReservedNumbers;
}

/** Everything that can be dialled and who names it, and the records that say where calls go (contract 20). */
export async function createDirectory({ db, clock, onError, reserved }: DirectoryParts) {
  const records = await createFlowRecordStore({ db, clock, onError });
  const desk = (trx: Kysely<Database>): NumberDesk => createNumberDesk(records.writer(trx), reserved);

  return {
    records,
    reserved,
    /** For another feature's transaction: takes the turn as its first step and resolves to the number desk. */
    async enter(trx: Kysely<Database>): Promise<NumberDesk> {
      await takeTurn(trx);
      return desk(trx);
    },
    write: <T>(work: (desk: NumberDesk) => Promise<T>): Promise<T> => records.write((trx) => work(desk(trx))),
    /** Outside any turn: for reading only. */
    read: (): NumberDesk => desk(db),
    /** Holder of the number: a queue, a menu, a code or an emergency number, as far as is known now. */
    holderOf(number: string): Holder | undefined {
      const record = records.byNumber(number);
      return record ? holderOfRecord(record) : reservedHolders(reserved).find((one) => one.number === number);
    },
    /** Queues, menus and reserved numbers. */
    holders: (): Holder[] => [
      ...[...records.all('call-queues'), ...records.all('ivr-menu')].map(holderOfRecord),
      ...reservedHolders(reserved),
    ],
    close: () => records.close(),
  };
}

export type Directory = Awaited<ReturnType<typeof createDirectory>>;
