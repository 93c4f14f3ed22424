import Type from 'typebox';
import { custom, FieldProblem, text } from '../../../http/fields.ts';
import { pageOf } from '../../../http/page.ts';
import { type Route, reads, route, writes } from '../../../http/route.ts';
import { NotFound } from '../../../lib/errors.ts';
import { bare, spellings } from '../../../lib/mobile-number.ts';
import { TARGET_WORDS } from '../../../lib/target.ts';
import type { Directory } from '../directory/directory.ts';
import { findForwards } from '../directory/forwards.ts';
import type { EmployeeDirectory } from '../employees/employee-directory.ts';
import {
  createRepresenter,
  type Extension,
  extensionsOf,
  holderOf,
  represent,
  sortExtensions,
} from './extension.ts';
import * as schema from './extensions.schema.ts';

interface ExtensionRouteParts {
  readonly employees: Pick<EmployeeDirectory, 'settle' | 'all'>;
  readonly directory: Directory;
}

const MOST_NAMED = 1000;
const MOST_IN_QUERY = 100;
const number = text({
  min: 1,
  max: 21,
  pattern: { test: /^\+?\d{1,20}$/, says: 'must be digits, + allowed before them' },
});

/** The directory of everything that can be dialled (contract 20). */
export function extensionRoutes({ employees, directory }: ExtensionRouteParts): Route[] {
  const resource = schema.extensionResource;
  const access = reads(resource);

  async function extensions(): Promise<Extension[]> {
    await Promise.all([employees.settle(), directory.records.settle()]);
    return extensionsOf(employees.all(), directory.holders());
  }

  async function find(wanted: string): Promise<Extension> {
    const found = (await extensions()).find((extension) => extension.number === wanted);
    if (!found) throw new NotFound(`extension ${wanted} not found`);
    return found;
  }

  const contains = ({ number, name, type }: Extension, search = ''): boolean =>
    [number, name, type].some((part) => part.toLowerCase().includes(search.toLowerCase()));

  const item = ({ number, type, name, recordId }: Extension) => ({
    id: number,
    number,
    type,
    callerid: name,
    recordId,
  });

  async function usersOf({ number, type }: Extension) {
    const desk = directory.read();
    const names = type === 'EXTERNAL' ? spellings(number) : [number];
    const forwards = await findForwards(desk.trx, ...names);
    return [
      ...(await desk.users('number', ...names)).map(({ kind, id, name, field }) => ({
        kind,
        id,
        name,
        field,
      })),
      ...forwards.map(({ id, name, field }) => ({ kind: 'employees', id: String(id), name, field })),
    ];
  }

  async function represented(numbers: readonly string[]) {
    const representOf = createRepresenter(await extensions());
    return Object.fromEntries(numbers.map((one) => [one, { number: one, represent: representOf(one) }]));
  }

  const Represented = Type.Record(
    Type.String(),
    Type.Object({ number: Type.String(), represent: Type.String() }),
  );
  const oneNumber = { id: schema.dialled, answer: Type.Array(Type.String()) } as const;
  const representOne = async ({ id }: { readonly id: string }) => [createRepresenter(await extensions())(id)];

  return [
    route({
      method: 'GET',
      path: '/extensions',
      function: 'getList',
      access,
      summary: 'List everything that can be dialled',
      query: schema.listQuery,
      answer: Type.Array(schema.ListItem),
      async handle({ query }) {
        const { search, type, order, order_by, orderWay, order_direction, ...page } = query;
        const found = (await extensions()).filter(
          (extension) => contains(extension, search) && (!type || extension.type === type),
        );
        const isDown = (orderWay ?? order_direction)?.toLowerCase() === 'desc';
        return pageOf(sortExtensions(found, order ?? order_by ?? '', isDown), page).map(item);
      },
    }),
    route({
      method: 'GET',
      path: '/extensions:getForSelect',
      function: 'getForSelect',
      access,
      summary: 'Numbers as choices for a form',
      query: schema.choiceQuery,
      answer: Type.Array(schema.Choice),
      async handle({ query: { type, query, exclude = '', includeEmpty = '' } }) {
        const left = new Set(exclude.split(',').map((one) => one.trim()));
        const found = (await extensions()).filter(
          (extension) =>
            (!type || type.types.includes(extension.type)) &&
            contains(extension, query) &&
            !left.has(extension.number),
        );
        const words = type?.hasWords ? TARGET_WORDS.filter((word) => !left.has(word)) : [];
        const choice = (value: string, text: string, type: string, label: string) => ({
          name: text,
          text,
          value,
          type,
          typeLocalized: label,
        });
        return [
          ...(['true', '1'].includes(includeEmpty.toLowerCase()) ? [choice('', '', '', '')] : []),
          ...found.map((one) => choice(one.number, represent(one), one.type, schema.LABELS[one.type])),
          ...words.map((word) => choice(word, schema.WORD_TEXTS[word], 'WORD', 'Without a number')),
        ];
      },
    }),
    route({
      method: 'POST',
      path: '/extensions:available',
      function: 'available',
      storesNothing: true,
      access: writes(resource),
      summary: 'Check whether a number is free, and if not, who has it',
      body: { number },
      answer: Type.Object({
        available: Type.Boolean(),
        userId: Type.Optional(Type.String({ description: 'Id of the employee who has it' })),
        represent: Type.Optional(Type.String()),
        type: Type.Optional(Type.String()),
        recordId: Type.Optional(Type.String()),
        reason: Type.Optional(Type.Enum(['taken', 'emergency', 'feature'])),
      }),
      async handle({ body }) {
        const reserved = directory.holderOf(bare(body.number));
        const holder = holderOf(await extensions(), body.number) ?? reserved;
        if (!holder) return { available: true };
        const { type, recordId } = holder;
        const isPerson = type === 'SIP' || type === 'EXTERNAL';
        return {
          available: false,
          ...(isPerson && { userId: recordId }),
          represent: represent(holder),
          type,
          recordId,
          reason: reserved?.reason ?? 'taken',
        };
      },
    }),
    route({
      method: 'POST',
      path: '/extensions:getPhonesRepresent',
      function: 'getPhonesRepresent',
      storesNothing: true,
      access: writes(resource),
      summary: 'Names for numbers',
      body: { numbers: numberList(MOST_NAMED) },
      answer: Represented,
      handle: ({ body }) => represented(body.numbers),
    }),
    route({
      method: 'GET',
      path: '/extensions:getPhonesRepresent',
      function: 'getPhonesRepresent',
      access,
      summary: 'Names for a comma-separated list of numbers',
      query: { numbers: numberList(MOST_IN_QUERY) },
      answer: Represented,
      handle: ({ query }) => represented(query.numbers),
    }),
    route({
      method: 'GET',
      path: '/extensions/{id}',
      function: 'getRecord',
      access,
      summary: 'Read a number, with everything that refers to it',
      id: schema.dialled,
      find,
      answer: schema.ExtensionRecord,
      async handle({ found }) {
        const isPerson = found.type === 'SIP' || found.type === 'EXTERNAL';
        return {
          ...item(found),
          userid: isPerson ? found.recordId : '',
          show_in_phonebook: true,
          public_access: false,
          is_general_user_number: found.type === 'SIP',
          usedBy: await usersOf(found),
        };
      },
    }),
    ...(['GET', 'POST'] as const).map((method) =>
      route({
        method,
        path: '/extensions/{id}:getPhoneRepresent',
        function: 'getPhoneRepresent',
        access: method === 'GET' ? access : writes(resource),
        ...(method === 'POST' && { storesNothing: true as const }),
        summary: 'The name for a number',
        ...oneNumber,
        handle: representOne,
      }),
    ),
  ];
}

/** A list, or a comma-separated text. */
function numberList(most: number) {
  return custom<string[]>(
    { type: ['array', 'string'], items: { type: 'string' }, maxItems: most },
    (value) => {
      const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : undefined;
      if (!list) throw new FieldProblem('must be a list of numbers');
      if (list.length > most) throw new FieldProblem(`at most ${most} numbers (got ${list.length})`);
      return list.map((one, index) => {
        const written = typeof one === 'number' ? String(one) : typeof one === 'string' ? one.trim() : '';
        if (!/^[+*#\d]{1,21}$/.test(written)) throw new FieldProblem(`[${index}] must be digits, + * # only`);
        return written;
      });
    },
  );
}
