import { bare, findHolders, findMobiles, representHolder } from '../features/telephony/directory/holders.ts';
import type { ExaminedDatabase } from './database.check.ts';
import { type Finding, type Patient, warning } from './finding.ts';

const NOTHING_RESERVED = { emergency: [], features: {} };

/** Numbers that somebody had before they were refused (contract 20.4; 29.7, M4). */
export async function checkNumbers({ db }: ExaminedDatabase, { config }: Patient): Promise<Finding[]> {
  const { emergencyNumbers } = config.numbering;
  const holders = await findHolders(db, emergencyNumbers, NOTHING_RESERVED);
  const mobiles = await findMobiles(db, emergencyNumbers);
  // Both are looked for before emergency numbers (contract 20.5); a mobile with a plus is dialled with it.
  const cutOff = emergencyNumbers
    .flatMap((number) => holders.get(number) ?? mobiles.get(number) ?? [])
    .filter(({ number }) => number === bare(number));
  return [
    ...cutOff.map((holder) =>
      warning(
        `the emergency number ${holder.number} is cut off: it reaches ${representHolder(holder)}`,
        'give that one another number',
      ),
    ),
    ...(await hiddenMobiles({ db })),
  ];
}

/** Whoever dials such a mobile without a plus reaches the phone, queue or menu. */
async function hiddenMobiles({ db }: Pick<ExaminedDatabase, 'db'>): Promise<Finding[]> {
  const people = await db
    .selectFrom('employees')
    .select(['id', 'number', 'mobile_number', 'user_username'])
    .where('mobile_number', '!=', '')
    .orderBy('id')
    .execute();
  const numbers = [...new Set(people.map(({ mobile_number }) => bare(mobile_number)))];
  const holders = await findHolders(db, numbers.filter(isShort), NOTHING_RESERVED);
  return people.flatMap(({ number, mobile_number, user_username: name }) => {
    const holder = holders.get(bare(mobile_number));
    return holder
      ? [
          warning(
            `the mobile ${mobile_number} of ${representHolder({ name, number })} is also the number of ${representHolder(holder)}`,
            'change one of the two',
          ),
        ]
      : [];
  });
}

/** No number inside is longer, and a list of thousands need not be asked about. */
const isShort = (number: string): boolean => number.length <= 8;
