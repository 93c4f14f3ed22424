import { FLOW_KINDS, type FlowKind } from '../lib/flow-record.ts';
import { bare } from '../lib/mobile-number.ts';
import type { ExaminedDatabase } from './database.check.ts';
import { type Finding, type Patient, warning } from './finding.ts';

interface Held {
  readonly number: string;
  readonly shown: string;
}

/** Conflicting numbers, and targets that are nobody's number. */
export async function checkNumbers({ db }: ExaminedDatabase, { config }: Patient): Promise<Finding[]> {
  const employees = await db
    .selectFrom('employees')
    .select(['number', 'user_username', 'mobile_number'])
    .orderBy('id')
    .execute();
  const records = await db
    .selectFrom('call_flow_records')
    .select(['number', 'name'])
    .where('number', 'is not', null)
    .execute();
  const references = await db
    .selectFrom('call_flow_references as reference')
    .innerJoin('call_flow_records as record', (join) =>
      join.onRef('record.kind', '=', 'reference.kind').onRef('record.id', '=', 'reference.id'),
    )
    .select(['reference.kind', 'reference.id', 'record.name as own', 'reference.field', 'reference.name'])
    .where('reference.named', '=', 'number')
    .orderBy('reference.kind')
    .orderBy('reference.id')
    .orderBy('reference.field')
    .execute();
  const people = employees.map(({ number, user_username: name }): Held => ({ number, shown: name }));
  const numbered = [
    ...records.map(({ number, name }): Held => ({ number: number ?? '', shown: name })),
    ...people,
  ];
  const held = new Map(numbered.map(({ number, shown }) => [number, `${shown} <${number}>`]));
  const mobiles = new Set(employees.map(({ mobile_number: mobile }) => bare(mobile)));

  /** Only up to the length of internal numbers: longer ones are outside numbers, as they seem to be. */
  const isNobodys = (number: string): boolean =>
    /^\d+$/.test(number) &&
    number.length <= config.extensionLength &&
    !held.has(number) &&
    !mobiles.has(number);

  return [
    ...numbered
      .filter(({ number }) => config.numbering.emergencyNumbers.includes(number))
      .map(({ number, shown }) =>
        // contract 20.4
        warning(
          `${shown} has the emergency number ${number} as its extension: no phone here can call it for help`,
          `give ${shown} another number, or remove ${number} from PBXCORE_EMERGENCY_NUMBERS if it is not an emergency number`,
        ),
      ),
    ...employees.flatMap(({ number, user_username: name, mobile_number: mobile }) => {
      const other = held.get(bare(mobile));
      // contract 20.5: stored before it became an emergency number
      if (other === undefined && config.numbering.emergencyNumbers.includes(bare(mobile)))
        return [
          warning(
            `the mobile number of ${name} <${number}> is the emergency number ${bare(mobile)}: phones here call it for help, never the mobile`,
            `correct the mobile number of the employee, or remove ${bare(mobile)} from PBXCORE_EMERGENCY_NUMBERS if it is not an emergency number`,
          ),
        ];
      // contract 29.7, M4
      if (mobile === '' || other === undefined) return [];
      return [
        warning(
          `the mobile number of ${name} <${number}> is ${mobile}, which is that of ${other}: without a plus the mobile is never called`,
          'correct the mobile number of the employee',
        ),
      ];
    }),
    ...references
      .filter(({ name }) => isNobodys(name))
      .map(({ kind, id, own, field, name }) =>
        warning(
          `${FLOW_KINDS[kind as FlowKind]?.word ?? kind} "${own}" (${id}): ${field} is ${name}, which is nobody's number here`,
          `choose another target, or give ${name} to somebody`,
        ),
      ),
  ];
}
