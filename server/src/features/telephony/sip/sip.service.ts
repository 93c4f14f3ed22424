import { EngineAway, NotFound } from '../../../lib/errors.ts';
import type { EmployeeDirectory } from '../employees/employee-directory.ts';
import type { Board, StatusBoard } from '../pbx-status/status-board.ts';
import type { ProviderStatuses } from '../sip-providers/provider-statuses.service.ts';
import { type StatusRecord, statusRecord, type Told } from './extension-status.ts';

export interface SipParts {
  readonly board: StatusBoard;
  readonly employees: Pick<EmployeeDirectory, 'settle' | 'all' | 'byNumber'>;
  readonly providers: Pick<ProviderStatuses, 'statuses'>;
  readonly timezone: string;
}

type Employee = ReturnType<EmployeeDirectory['all']>[number];

/** What was read, and how far it can be trusted. */
export interface Known<T> {
  readonly data: T;
  readonly asOf: number;
  readonly isLost: boolean;
}

interface Kept {
  readonly told: Told;
  readonly record: StatusRecord;
}

interface Made {
  readonly from: readonly unknown[];
  readonly records: Record<string, StatusRecord>;
  /** Built on the first request. */
  short?: object;
}

const WORKING = ['registered', 'OK', 'lagged'];

/** Who can be reached now (contract 6). */
export function createSip({ board, employees, providers, timezone }: SipParts) {
  /** Thousands of records are built once per change, not once per poll. */
  let made: Made | undefined;
  /** Records of the last build; most of them do not change. */
  let last: { engine: Board['engine']; kept: ReadonlyMap<Employee, Kept> } = {
    engine: 'none',
    kept: new Map(),
  };

  function toldOf({ extensions, failedLogins }: Board, number: string): Told {
    return { status: extensions.get(number), failedLogins: failedLogins.get(number) };
  }

  function recordsOf(read: Board): StatusRecord[] {
    const { engine } = read;
    const before = last.engine === engine ? last.kept : undefined;
    const kept = new Map<Employee, Kept>();
    for (const employee of employees.all()) {
      const told = toldOf(read, employee.number);
      const known = before?.get(employee);
      const isSame = known?.told.status === told.status && known?.told.failedLogins === told.failedLogins;
      kept.set(
        employee,
        known && isSame ? known : { told, record: statusRecord(employee, told, engine, timezone) },
      );
    }
    last = { engine, kept };
    return [...kept.values()].map(({ record }) => record);
  }

  async function all() {
    const [read] = await Promise.all([board.read(), employees.settle()]);
    const from = [employees.all(), read.extensions, read.failedLogins, read.engine];
    if (!made || made.from.some((part, i) => part !== from[i])) {
      made = { from, records: byExtension(recordsOf(read)) };
    }
    return { read, made, isLost: read.engine === 'lost' };
  }

  return {
    /** Statuses of all employees, by extension number. The same object as long as nothing changed. */
    async statuses(simplified: boolean): Promise<Known<object>> {
      const { read, made, isLost } = await all();
      if (!simplified) return { data: made.records, asOf: read.asOf, isLost };
      made.short ??= shortened(made.records);
      return { data: made.short, asOf: read.asOf, isLost };
    },

    async find(number: string): Promise<Employee> {
      await employees.settle();
      const employee = employees.byNumber(number);
      if (!employee) throw new NotFound(`extension ${number} not found`);
      return employee;
    },

    async statusOf(employee: Employee): Promise<Known<StatusRecord>> {
      const read = await board.read();
      const data = statusRecord(employee, toldOf(read, employee.number), read.engine, timezone);
      return { data, asOf: read.asOf, isLost: read.engine === 'lost' };
    },

    /** Asks the engine anew; false when it cannot be asked. */
    async refresh(): Promise<boolean> {
      try {
        await board.refresh();
        return true;
      } catch (error) {
        if (error instanceof EngineAway) return false;
        throw error;
      }
    },

    /** Employees, then providers. */
    async peers(): Promise<Known<object[]>> {
      const [{ read, made, isLost }, { records }] = await Promise.all([all(), providers.statuses()]);
      const peer = (id: string, isWorking: boolean, state: string) => ({
        id,
        state: isWorking ? ('OK' as const) : ('UNKNOWN' as const),
        'detailed-state': state,
      });
      const phones = Object.values(made.records).map(({ extension, status }) =>
        peer(extension, status === 'Available', status),
      );
      const trunks = Object.values(records).map(({ id, state }) => peer(id, WORKING.includes(state), state));
      return { data: [...phones, ...trunks], asOf: read.asOf, isLost };
    },

    async registry(): Promise<Known<object[]>> {
      const [read, { records }] = await Promise.all([board.read(), providers.statuses()]);
      const data = Object.values(records).map(({ id, state, host, username }) => ({
        id,
        state: state.toUpperCase(),
        host,
        username,
      }));
      return { data, asOf: read.asOf, isLost: read.engine === 'lost' };
    },
  };
}

export type Sip = ReturnType<typeof createSip>;

const byExtension = <T extends { extension: string }>(records: readonly T[]): Record<string, T> =>
  Object.fromEntries(records.map((record) => [record.extension, record]));

const shortened = (records: Record<string, StatusRecord>): object =>
  byExtension(Object.values(records).map(({ extension, status }) => ({ extension, status })));
