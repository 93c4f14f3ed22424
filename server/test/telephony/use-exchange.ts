import { afterAll, afterEach, beforeAll, beforeEach, onTestFailed } from 'vitest';
import { type Phone, type PhoneOptions, startPhone } from '../real/baresip.ts';
import { type Employee, type Exchange, openExchange, secretOf } from './exchange.ts';

interface Held {
  readonly exchange: Exchange;
  /** A registered phone, stopped after the test. */
  phone(number: string, options?: Partial<PhoneOptions>): Promise<Phone>;
  /** Cleans up other things that a test starts. */
  defer(cleanUp: () => unknown): void;
  /** Cleans up things that live as long as the exchange and unregister from it. */
  outlive(cleanUp: () => unknown): void;
}

/** One exchange for all tests of a file; each test uses its own numbers, so that none sees another's calls. */
export function useExchange(
  employees: readonly Employee[],
  settings: Readonly<Record<string, string>> = {},
): Held {
  let exchange: Exchange;
  let cleanUps: (() => unknown)[] = [];
  const neighbours: (() => unknown)[] = [];
  const defer = (cleanUp: () => unknown) => void cleanUps.push(cleanUp);

  beforeAll(async () => {
    exchange = await openExchange(settings);
    await exchange.hire(...employees);
  });
  afterAll(async () => {
    await exchange?.close();
    for (const end of neighbours) await end();
  });
  beforeEach(() => {
    onTestFailed(async () => console.error(await exchange.logs()));
  });
  afterEach(async () => {
    const due = cleanUps.reverse();
    cleanUps = [];
    for (const cleanUp of due) await cleanUp();
  });

  return {
    get exchange() {
      return exchange;
    },
    defer,
    outlive: (cleanUp) => void neighbours.push(cleanUp),
    async phone(number, options = {}) {
      const phone = await startPhone({
        number,
        secret: secretOf(number),
        address: exchange.net.next(),
        server: exchange.address,
        ...options,
      });
      defer(() => phone.leave());
      const outcome = phone.events.findLast(({ type }) => type.startsWith('REGISTER_'));
      if (options.registers !== false && outcome?.type !== 'REGISTER_OK') {
        throw new Error(`${number} could not register: ${outcome?.param}`);
      }
      return phone;
    },
  };
}

/** Connects both phones. */
export async function connect(caller: Phone, callee: Phone, dialled = callee.number): Promise<void> {
  await caller.dial(dialled);
  await callee.next('CALL_INCOMING');
  await callee.answer();
  await Promise.all([caller.next('CALL_ESTABLISHED'), callee.next('CALL_ESTABLISHED')]);
}

/** Long enough for a tone to be recognized; there is no event to wait for. */
export const talk = (ms = 1500): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The strength of a tone that was clearly heard. */
export const LOUD = 2000;
/** The strength that noise and another tone leave of one that was not heard. */
export const SILENT = 300;
