import type { Kysely } from 'kysely';
import type { Route } from '../../../http/route.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { Directory } from '../directory/directory.ts';
import { employeeBatchRoutes } from './employee-batch.routes.ts';
import { createEmployeeDirectory } from './employee-directory.ts';
import { employeeFileRoutes } from './employee-files.routes.ts';
import { createEmployeeImports } from './employee-imports.ts';
import { createEmployeeRecord } from './employee-record.ts';
import { employeeRoutes } from './employees.routes.ts';
import { createEmployees } from './employees.service.ts';
import { createEmployeeStore } from './employees.store.ts';

interface EmployeeFeatureParts {
  readonly db: Kysely<Database>;
  readonly numbers: Directory;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Number of digits of internal numbers. */
  readonly extensionLength: number;
  readonly timezone: string;
  readonly filterIds: () => Promise<ReadonlySet<string>>;
  readonly describeFilter: (id: string) => string | undefined;
  readonly unusedAttributes: (text: string) => string[];
}

/** Employees as a whole: their routes, and what other features use. */
export async function createEmployeeFeature(parts: EmployeeFeatureParts) {
  const { db, numbers, clock, onError, extensionLength, timezone } = parts;
  const { filterIds, describeFilter, unusedAttributes } = parts;
  const store = createEmployeeStore({ db, clock, numbers });
  const directory = await createEmployeeDirectory({ db, clock, onError });
  const employees = createEmployees({
    store,
    directory,
    numbers,
    filterIds,
    extensionLength,
    unusedAttributes,
  });
  const imports = createEmployeeImports({ db, employees, clock, onError });
  const { byNumber } = directory;
  const toRecord = createEmployeeRecord({ extensionLength, timezone, describeFilter, byNumber });
  const routes: Route[] = [
    ...employeeRoutes({ employees, toRecord, timezone }),
    ...employeeBatchRoutes({ employees }),
    ...employeeFileRoutes({ employees, imports }),
  ];
  return {
    routes,
    directory,
    count: store.count,
    /** Who is bound to a network filter, in words. */
    usersOfFilter: async (id: number): Promise<string[]> =>
      (await store.boundTo(String(id))).map((number) => `employee ${number}`),
    async close(): Promise<void> {
      await imports.close();
      await directory.close();
    },
  };
}
