import { FIRST_NUMBER } from './employees.ts';

type Call = (
  verb: 'POST',
  path: string,
  body: object,
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the interface
) => Promise<any>;

interface Sizes {
  /** Existing ones. */
  readonly employees: number;
  readonly queues: number;
  /** Per queue. */
  readonly members: number;
  readonly menus: number;
  /** The default route is one of them. */
  readonly routes: number;
}

/** The largest exchange that the contract allows (C12). */
export const LARGEST: Sizes = { employees: 5000, queues: 500, members: 10, menus: 500, routes: 1000 };

export const queueNumber = (n: number): string => String(6000 + n);
export const menuNumber = (n: number): string => String(7000 + n);
export const lineNumber = (n: number): string => String(4_930_000 + n);

/** Creates queues of employees, menus that time out to queues, and routes to menus. */
export async function fillCallFlow(
  call: Call,
  { employees, queues, members, menus, routes }: Sizes,
): Promise<void> {
  const employee = (n: number) => String(FIRST_NUMBER + (n % employees));
  for (let n = 0; n < queues; n++)
    await call('POST', '/call-queues', {
      name: `Queue ${n}`,
      extension: queueNumber(n),
      timeout_to_redirect_to_extension: 60,
      timeout_extension: employee(n),
      members: Array.from({ length: members }, (_, at) => ({ extension: employee(n * members + at) })),
    });
  for (let n = 0; n < menus; n++)
    await call('POST', '/ivr-menu', {
      name: `Menu ${n}`,
      extension: menuNumber(n),
      timeout_extension: queueNumber(n % queues),
      allow_enter_any_internal_extension: true,
      actions: [{ digits: '1', extension: employee(n) }],
    });
  for (let n = 1; n < routes; n++)
    await call('POST', '/incoming-routes', { number: lineNumber(n), extension: menuNumber(n % menus) });
}
