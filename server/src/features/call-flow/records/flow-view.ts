import type { FlowKind, FlowRecord, NamedThing, User } from '../../../lib/flow-record.ts';
import { bare } from '../../../lib/mobile-number.ts';
import { proposedNumber } from '../../../lib/proposed-number.ts';
import { forwardsOf, ringFrom, ringText } from '../../../lib/rings.ts';
import { isTargetWord } from '../../../lib/target.ts';
import type { Directory } from '../../telephony/directory/directory.ts';
import type { Holder } from '../../telephony/directory/holders.ts';

interface Employee {
  readonly id: number;
  readonly number: string;
  readonly user_username: string;
  readonly mobile_number: string;
  readonly fwd_forwarding: string;
  readonly fwd_forwardingonbusy: string;
  readonly fwd_forwardingonunavailable: string;
}

interface Provider {
  readonly id: string;
  readonly description: string;
  readonly disabled: boolean;
}

interface ViewParts {
  readonly directory: Directory;
  readonly employees: {
    settle(): Promise<unknown>;
    all(): readonly Employee[];
    byNumber(number: string): Employee | undefined;
  };
  readonly providers: { recent(): Promise<readonly Provider[]> };
}

/** Numbers, sounds, providers and records at one moment, without further queries. */
export interface FlowView {
  readonly find: (kind: FlowKind, id: string) => FlowRecord | undefined;
  readonly all: (kind: FlowKind) => readonly FlowRecord[];
  readonly provider: (id: string) => Provider | undefined;
  readonly employees: readonly Employee[];
  /** Who is reached by a number here: an employee, queue, menu, code or mobile. */
  readonly holder: (number: string) => Holder | undefined;
  /** `Support <600>`; a word or an unknown number as it is. */
  readonly representTarget: (target: string) => string;
  /** Who names it (contract 20.7). */
  readonly users: (named: NamedThing, name: string) => readonly User[];
  readonly representSound: (id: string) => string;
  readonly representProvider: (id: string) => string;
  /** Warns if a call to this number returns to it without the caller pressing a key (contract 21.3). */
  readonly ringWarnings: (number: string) => readonly string[];
  /** The lowest free number of a queue or menu (contract 20.6). */
  readonly freeNumber: (length: number) => string;
}

export function createFlowViews({ directory, employees, providers }: ViewParts) {
  const { records, holderOf } = directory;

  return async function look(): Promise<FlowView> {
    const [known] = await Promise.all([providers.recent(), employees.settle(), records.settle()]);
    const providersById = new Map(known.map((provider) => [provider.id, provider]));
    const people = employees.all();
    const mobiles = mobilesOf(people);

    function holder(number: string): Holder | undefined {
      const employee = employees.byNumber(number);
      if (employee) return person(employee, employee.number, 'SIP');
      const mobile = mobiles.get(bare(number));
      return holderOf(number) ?? (mobile && person(mobile, mobile.mobile_number, 'EXTERNAL'));
    }

    function next(number: string): readonly string[] {
      const employee = employees.byNumber(number);
      return employee ? forwardsOf(employee) : records.goesOnTo(number);
    }

    return {
      find: records.find,
      all: records.all,
      provider: (id) => providersById.get(id),
      employees: people,
      holder,
      representTarget(target) {
        const found = target === '' || isTargetWord(target) ? undefined : holder(target);
        return found && found.name !== '' ? `${found.name} <${target}>` : target;
      },
      users: records.users,
      representSound: (id) => records.find('sound-files', id)?.name ?? '',
      representProvider: (id) => providersById.get(id)?.description ?? '',
      ringWarnings(number) {
        const ring = ringFrom(number, next);
        return ring.length === 0 ? [] : [ringText(ring)];
      },
      freeNumber: (length) => proposedNumber(length, (number) => holder(number) === undefined),
    };
  };
}

const knownMobiles = new WeakMap<readonly Employee[], ReadonlyMap<string, Employee>>();

/** By number without plus; of those who share one, the lowest id. Built once per list of employees. */
export function mobilesOf(employees: readonly Employee[]): ReadonlyMap<string, Employee> {
  const known = knownMobiles.get(employees);
  if (known) return known;
  const mobiles = new Map<string, Employee>();
  for (const employee of [...employees].sort((a, b) => b.id - a.id))
    if (employee.mobile_number !== '') mobiles.set(bare(employee.mobile_number), employee);
  knownMobiles.set(employees, mobiles);
  return mobiles;
}

export type LookAtFlow = ReturnType<typeof createFlowViews>;

const person = ({ id, user_username: name }: Employee, number: string, type: Holder['type']): Holder => ({
  number,
  type,
  name,
  recordId: String(id),
  reason: 'taken',
});
