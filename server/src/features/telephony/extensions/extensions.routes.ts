import Type from 'typebox';
import { custom, described, optional, text } from '../../../http/fields.ts';
import { pageFields, pageOf } from '../../../http/page.ts';
import { type Resource, type Route, reads, route, writes } from '../../../http/route.ts';
import type { Directory } from '../directory/directory.ts';
import type { EmployeeDirectory } from '../employees/employee-directory.ts';
import { EXTENSION_TYPES, type Extension, extensionsOf, holderOf, represent } from './extension.ts';

export const extensionResource: Resource = {
  path: '/api/v3/extensions',
  label: 'Extensions',
  description: 'Numbers that can be dialled: phones of employees and their mobiles',
  levels: ['read', 'write'],
};

const type = Type.Enum([...EXTENSION_TYPES]);
const ListItem = Type.Object(
  {
    id: Type.String({ description: 'The number again' }),
    number: Type.String(),
    type,
    callerid: Type.String(),
  },
  { $id: 'Extension' },
);
const Choice = Type.Object(
  { name: Type.String(), text: Type.String(), value: Type.String(), type, typeLocalized: Type.String() },
  { $id: 'ExtensionChoice' },
);

const LABELS = { SIP: 'Internal number', EXTERNAL: 'Mobile number' } as const;

/** An unknown type is no restriction, as with every query parameter that only narrows. */
const typeFilter = described(
  optional(
    custom({ type: 'string', enum: [...EXTENSION_TYPES] }, (value) =>
      EXTENSION_TYPES.find((name) => name === String(value).toUpperCase()),
    ),
  ),
  'Only this type; any other value gives all',
);

interface ExtensionRouteParts {
  readonly employees: Pick<EmployeeDirectory, 'settle' | 'all'>;
  readonly directory: Directory;
}

export function extensionRoutes({ employees }: ExtensionRouteParts): Route[] {
  const access = reads(extensionResource);

  async function extensions(): Promise<Extension[]> {
    await employees.settle();
    return extensionsOf(employees.all());
  }

  return [
    route({
      method: 'GET',
      path: '/extensions',
      function: 'getList',
      access,
      summary: 'List the numbers of employees and their mobiles',
      query: pageFields,
      answer: Type.Array(ListItem),
      handle: async ({ query }) =>
        pageOf(await extensions(), query).map(({ number, type, callerid }) => ({
          id: number,
          number,
          type,
          callerid,
        })),
    }),
    route({
      method: 'GET',
      path: '/extensions:getForSelect',
      function: 'getForSelect',
      access,
      summary: 'Numbers as choices for a form',
      query: { type: typeFilter },
      answer: Type.Array(Choice),
      async handle({ query }) {
        const found = (await extensions()).filter(({ type }) => !query.type || type === query.type);
        return found.map((extension) => ({
          name: represent(extension),
          text: represent(extension),
          value: extension.number,
          type: extension.type,
          typeLocalized: LABELS[extension.type],
        }));
      },
    }),
    route({
      method: 'POST',
      path: '/extensions:available',
      function: 'available',
      storesNothing: true,
      access: writes(extensionResource),
      summary: 'Check whether a number is free, and if not, who has it',
      body: {
        number: text({
          min: 1,
          max: 21,
          pattern: { test: /^\+?\d{1,20}$/, says: 'must be digits, + allowed before them' },
        }),
      },
      answer: Type.Object({
        available: Type.Boolean(),
        userId: Type.Optional(Type.String({ description: 'Id of the employee who has it' })),
        represent: Type.Optional(Type.String()),
      }),
      async handle({ body }) {
        const holder = holderOf(await extensions(), body.number);
        return holder
          ? { available: false, userId: holder.userId, represent: represent(holder) }
          : { available: true };
      },
    }),
  ];
}
