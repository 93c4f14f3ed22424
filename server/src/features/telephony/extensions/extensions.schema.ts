import Type from 'typebox';
import { custom, described, optional, text } from '../../../http/fields.ts';
import { pageFields } from '../../../http/page.ts';
import type { Resource } from '../../../http/route.ts';
import type { TARGET_WORDS } from '../../../lib/target.ts';
import { NUMBER_TYPES, type NumberType } from '../directory/holders.ts';

export const extensionResource: Resource = {
  path: '/api/v3/extensions',
  label: 'Extensions',
  description: 'Numbers that can be dialled: employees and their mobiles, queues, menus, feature codes',
  levels: ['read', 'write'],
};

const type = Type.Enum([...NUMBER_TYPES]);
export const ListItem = Type.Object(
  {
    id: Type.String({ description: 'The number, repeated' }),
    number: Type.String(),
    type,
    callerid: Type.String(),
    recordId: Type.String({ description: 'Id of the employee, queue or menu; empty for a feature code' }),
  },
  { $id: 'Extension' },
);

export const ExtensionRecord = Type.Object(
  {
    ...ListItem.properties,
    userid: Type.String({ description: 'Id of the employee, or empty' }),
    show_in_phonebook: Type.Boolean(),
    public_access: Type.Boolean(),
    is_general_user_number: Type.Boolean({
      description: 'True for the main number of an employee, false for a mobile number',
    }),
    usedBy: Type.Array(
      Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String(), field: Type.String() }),
      { description: 'Every field of a record that refers to the number' },
    ),
  },
  { $id: 'ExtensionRecord' },
);

export const Choice = Type.Object(
  {
    name: Type.String(),
    text: Type.String(),
    value: Type.String(),
    type: Type.String({ description: `One of ${NUMBER_TYPES.join(', ')}, or WORD` }),
    typeLocalized: Type.String(),
  },
  { $id: 'ExtensionChoice' },
);

export const LABELS: Readonly<Record<NumberType, string>> = {
  SIP: 'Internal number',
  EXTERNAL: 'Mobile number',
  QUEUE: 'Queue',
  IVR: 'Menu',
  FEATURE: 'Feature code',
};

export const WORD_TEXTS: Readonly<Record<(typeof TARGET_WORDS)[number], string>> = {
  hangup: 'End the call',
  busy: 'Busy',
  did2user: 'The extension that the called number names',
  voicemail: 'Mailbox',
};

/** An unknown type is no restriction, as with every query parameter that only narrows. */
const typeFilter = described(
  optional(
    custom({ type: 'string', enum: [...NUMBER_TYPES] }, (value) =>
      NUMBER_TYPES.find((name) => name === String(value).toUpperCase()),
    ),
  ),
  'Only this type; any other value returns all types',
);

const GROUPS: ReadonlyMap<string, readonly NumberType[]> = new Map([
  ['phones', ['SIP', 'EXTERNAL']],
  ['internal', ['SIP']],
]);

/** What a form may choose from: types, and whether the words of targets are among them. */
interface Choices {
  readonly types: readonly NumberType[];
  readonly hasWords: boolean;
}

const choiceFilter = described(
  optional(
    custom<Choices>(
      { type: 'string', enum: ['all', 'phones', 'internal', 'routing', ...NUMBER_TYPES] },
      (value) => {
        const name = String(value);
        const one = NUMBER_TYPES.find((known) => known === name.toUpperCase());
        const types = GROUPS.get(name.toLowerCase()) ?? (one ? [one] : NUMBER_TYPES);
        if (name.toLowerCase() !== 'routing') return { types, hasWords: false };
        // A code cannot be a target.
        return { types: types.filter((known) => known !== 'FEATURE'), hasWords: true };
      },
    ),
  ),
  '`phones`: phones and mobiles; `internal`: phones; `routing`: everything that can be a target, words included; or a type. Any other value returns all numbers',
);

const word = optional(custom<string>({ type: 'string' }, String));
const searched = described(
  optional(text({ max: 255 })),
  'Text contained in number, name or type, ignoring case',
);

export const listQuery = {
  ...pageFields,
  search: searched,
  type: typeFilter,
  order: described(word, '`number` (by length, then digits; the default), `type` or `callerid`'),
  orderWay: described(word, '`asc` or `desc`, ignoring case'),
  order_by: word,
  order_direction: word,
};

export const choiceQuery = {
  type: choiceFilter,
  query: searched,
  exclude: described(optional(text({ max: 1000 })), 'Numbers to leave out, separated by commas'),
  includeEmpty: described(word, '`true` or `1`: begin with an empty choice'),
};

/** As dialled, with a plus or the signs of codes. */
export const dialled = {
  pattern: /^[+*#\d]{1,21}$/,
  description: 'digits, + * #',
} as const;
