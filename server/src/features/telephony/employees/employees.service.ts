import { Conflict, InvalidFields, NotFound } from '../../../lib/errors.ts';
import { DuplicateKey } from '../../../store/sql/sql-errors.ts';
import type { Directory } from '../directory/directory.ts';
import type { Leaving } from '../directory/number-desk.ts';
import {
  type Employee,
  type EmployeeChange,
  filterProblems,
  generateSecret,
  NUMBER_TAKEN,
  patched,
  refusal,
  secretWarnings,
} from './employee.ts';
import type { EmployeeDirectory } from './employee-directory.ts';
import { DEFAULTS, type EmployeeFields } from './employee-fields.ts';
import type { EmployeeStore, EmployeeWriter } from './employees.store.ts';
import { changesForwards, createForwardWarnings } from './forward-warnings.ts';
import { freeNumber } from './free-number.ts';
import { createNumberConflicts } from './number-conflicts.ts';

interface EmployeeParts {
  readonly store: EmployeeStore;
  readonly directory: EmployeeDirectory;
  readonly numbers: Directory;
  /** Ids of the network filters that exist. */
  readonly filterIds: () => Promise<ReadonlySet<string>>;
  readonly extensionLength: number;
  /** Lines of manual attributes that the telephony engine does not get, in words. */
  readonly unusedAttributes: (text: string) => string[];
}

export interface Saved {
  readonly employee: Employee;
  readonly warnings: string[];
  readonly infos: string[];
}

/** Employees (contract 3). */
export function createEmployees(parts: EmployeeParts) {
  const { store, directory, numbers, filterIds, extensionLength, unusedAttributes } = parts;
  const forwards = createForwardWarnings({ employees: directory, numbers });

  /** Writes, then brings the copy in memory up to date. */
  async function write<T>(work: (writer: EmployeeWriter) => Promise<T>): Promise<T> {
    try {
      const done = await store.write(work);
      await Promise.all([directory.follow(), numbers.records.follow()]);
      return done;
    } catch (error) {
      if (error instanceof DuplicateKey) throw new Conflict(NUMBER_TAKEN, { cause: error });
      throw error;
    }
  }

  async function check(writer: EmployeeWriter, fields: EmployeeFields, stored?: Employee): Promise<void> {
    const conflicts = await createNumberConflicts(writer.desk, [fields]);
    const failure = refusal(fields, conflicts.failure(fields, stored), stored);
    if (failure) throw failure;
  }

  /** Checks only what was sent: a filter that is gone does not block other changes. */
  async function refuseMissingFilter(sent: EmployeeChange): Promise<void> {
    const problems = filterProblems(sent, await filtersFor([sent]));
    if (problems.length > 0) throw new InvalidFields(problems);
  }

  /** The filters that exist, if one is named. */
  async function filtersFor(employees: readonly EmployeeChange[]): Promise<ReadonlySet<string>> {
    const isNamed = employees.some(({ sip_networkfilterid: id = 'none' }) => id !== 'none');
    return isNamed ? filterIds() : new Set();
  }

  async function change(id: number, next: (stored: Employee) => EmployeeFields): Promise<Saved> {
    return write(async (writer) => {
      const stored = await writer.find(id);
      const employee = { ...stored, ...next(stored), updated_at: writer.now };
      await check(writer, employee, stored);
      const [done] = await writer.update([{ before: stored, after: employee }]);
      const told = done as Leaving;
      // A forward to its own mobile phone has followed: read the employee again.
      return { employee: told.infos.length === 0 ? employee : await writer.find(id), ...told };
    });
  }

  async function proposedNumber(): Promise<string> {
    await numbers.records.settle();
    const ofOthers = numbers.holders().map(({ number }) => number);
    return freeNumber(await store.numbers(), extensionLength, ofOthers);
  }

  /** Warnings about what is allowed (contract 3.2). Looked up before the write: once it is done, nothing may fail. */
  async function warningsOf(sent: EmployeeChange, own?: number): Promise<string[]> {
    const warnings: string[] = [];
    if (sent.mobile_number) {
      for (const { id, number, user_username } of await store.withMobile(sent.mobile_number)) {
        if (id !== own) warnings.push(`mobile_number: also that of ${number} ${user_username}`);
      }
    }
    for (const problem of unusedAttributes(sent.sip_manualattributes ?? '')) {
      warnings.push(`sip_manualattributes: ${problem}`);
    }
    return warnings;
  }

  return {
    write,
    /** For reading only. */
    desk: numbers.read,
    warningsOf,
    lookAtForwards: forwards.look,
    list: store.list,
    listWhole: store.listWhole,
    byNumbers: store.byNumbers,
    filterIds,
    filtersFor,
    all: store.all,
    deletedSince: store.deletedSince,
    forwardingTo: store.forwardingTo,
    count: store.count,

    async find(id: string): Promise<Employee> {
      const employee = await store.find(Number(id));
      if (!employee) throw new NotFound(`employee ${id} not found`);
      return employee;
    },

    async defaults(): Promise<EmployeeFields> {
      return {
        ...DEFAULTS,
        number: await proposedNumber(),
        user_username: '',
        sip_secret: generateSecret(),
      };
    },

    async create(fields: EmployeeFields): Promise<Saved> {
      await refuseMissingFilter(fields);
      const warnings = await warningsOf(fields);
      const look = await forwards.look();
      const employee = await write(async (writer) => {
        await check(writer, fields);
        const [id] = await writer.insert([fields]);
        return { ...fields, id: id as number, created_at: writer.now, updated_at: writer.now };
      });
      warnings.push(...[...look.warnings([employee]).values()].flat());
      return { employee, warnings: [...secretWarnings(fields), ...warnings], infos: [] };
    },

    /** PUT: absent fields already have their defaults, only the secret stays. */
    async replace(
      id: number,
      sent: Omit<EmployeeFields, 'sip_secret'> & { sip_secret?: string },
    ): Promise<Saved> {
      await refuseMissingFilter(sent);
      const warnings = await warningsOf(sent, id);
      const look = await forwards.look();
      const { employee, infos, ...told } = await change(id, (stored) => ({
        ...sent,
        sip_secret: sent.sip_secret || stored.sip_secret,
      }));
      warnings.push(...[...look.warnings([employee]).values()].flat());
      return {
        employee,
        warnings: [...(sent.sip_secret ? secretWarnings(employee) : []), ...warnings, ...told.warnings],
        infos,
      };
    },

    async patch(id: number, sent: EmployeeChange): Promise<Saved> {
      await refuseMissingFilter(sent);
      const warnings = await warningsOf(sent, id);
      const look = await forwards.look();
      const { employee, infos, ...told } = await change(id, (stored) => patched(stored, sent));
      if (changesForwards(sent)) warnings.push(...[...look.warnings([employee]).values()].flat());
      return {
        employee,
        warnings: [...(sent.sip_secret ? secretWarnings(employee) : []), ...warnings, ...told.warnings],
        infos,
      };
    },

    /** Resolves to messages: who forwards to the removed number, and which queues the employee left. */
    async delete({ id, number }: Employee, replaceWith?: string): Promise<Leaving> {
      const forwarding = await store.forwardingTo(number);
      const look = await forwards.look();
      const { warnings, infos } = await write(async (writer) => {
        const employee = await writer.find(id);
        const left = await writer.delete(employee, replaceWith);
        await writer.forgetOldDeletions();
        return left;
      });
      const told = [...goneWarnings(number, forwarding), ...look.warningsAt(replaceWith)];
      return { warnings: [...warnings, ...told], infos };
    },
  };
}

export function goneWarnings(
  number: string,
  forwarding: readonly { number: string; user_username: string }[],
): string[] {
  if (forwarding.length === 0) return [];
  const names = forwarding.map((other) => `${other.number} ${other.user_username}`);
  return [`${number} is gone, but these forward to it: ${names.join(', ')}`];
}

export type Employees = ReturnType<typeof createEmployees>;
