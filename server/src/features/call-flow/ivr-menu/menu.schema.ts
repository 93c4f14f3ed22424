import Type from 'typebox';
import {
  answersOf,
  boolean,
  FieldProblem,
  type Input,
  integer,
  text,
  withDefault,
} from '../../../http/fields.ts';
import type { Resource } from '../../../http/route.ts';
import { targetField } from '../../../lib/target.ts';
import { listOf, ownNumber, soundId, within } from '../records/common-fields.ts';

export const menuResource: Resource = {
  path: '/api/v3/ivr-menu',
  label: 'IVR Menu',
  description: 'Menus: callers press keys to choose where the call goes',
  levels: ['read', 'write'],
};

export interface MenuAction {
  readonly digits: string;
  readonly extension: string;
}

const MOST_ACTIONS = 100;
const digits = text({ max: 10, pattern: { test: /^[0-9*#]{1,10}$/, says: 'must be 1..10 of 0-9 * #' } });
const target = targetField({ mayBeEmpty: false });

const actionList = listOf<MenuAction>(
  {
    properties: { digits: { type: 'string', pattern: '^[0-9*#]{1,10}$' }, extension: target.schema },
    required: ['digits', 'extension'],
  },
  MOST_ACTIONS,
  (entry) => ({
    digits: within('digits', digits, entry.digits),
    extension: within('extension', target, entry.extension),
  }),
);

/** Each entry once. */
const actions = {
  ...actionList,
  read(value: unknown): MenuAction[] {
    const list = actionList.read(value);
    const seen = new Set<string>();
    for (const [at, { digits: entry }] of list.entries()) {
      if (seen.has(entry)) throw new FieldProblem(`[${at}].digits: ${entry} appears twice`);
      seen.add(entry);
    }
    return list.sort((a, b) => (a.digits < b.digits ? -1 : 1));
  },
};

export const menuFields = {
  name: text({ min: 1, max: 255 }),
  description: withDefault(text({ max: 500 }), ''),
  extension: ownNumber,
  audio_message_id: withDefault(soundId, ''),
  timeout: withDefault(integer({ min: 1, max: 60 }), 7),
  number_of_repeat: withDefault(integer({ min: 0, max: 10 }), 3),
  timeout_extension: withDefault(targetField(), ''),
  invalid_extension: withDefault(targetField(), ''),
  invalid_audio_message_id: withDefault(soundId, ''),
  timeout_audio_message_id: withDefault(soundId, ''),
  allow_enter_any_internal_extension: withDefault(boolean, false),
  actions: withDefault(actions, []),
};

export type MenuValues = Input<typeof menuFields> & Readonly<Record<string, unknown>>;

const { actions: _, ...plain } = answersOf(menuFields);
const represented = Type.String({ description: 'Readable text for people' });

export const MenuRecord = Type.Object(
  {
    id: Type.String(),
    ...plain,
    actions: Type.Array(
      Type.Object({
        id: Type.String(),
        digits: Type.String(),
        extension: Type.String(),
        extension_represent: represented,
      }),
    ),
    timeout_extension_represent: represented,
    invalid_extension_represent: represented,
    audio_message_id_represent: represented,
    invalid_audio_message_id_represent: represented,
    timeout_audio_message_id_represent: represented,
    represent: represented,
    isNew: Type.Optional(Type.String()),
  },
  { $id: 'Menu' },
);

export const MenuListItem = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    extension: Type.String(),
    description: Type.String(),
    timeout: Type.Integer(),
    number_of_repeat: Type.Integer(),
    timeout_extension: Type.String(),
    timeout_extension_represent: represented,
    timeoutExtensionRepresent: represented,
    actions: Type.Array(Type.Object({ digits: Type.String(), represent: represented })),
    represent: represented,
    search_index: Type.String(),
  },
  { $id: 'MenuListItem' },
);

export const MenuStats = Type.Object(
  {
    calls: Type.Integer(),
    choices: Type.Array(Type.Object({ digits: Type.String(), calls: Type.Integer() }), {
      description: 'The current entries of the menu, then former entries that callers chose',
    }),
    direct: Type.Integer({ description: 'Callers who dialled an employee' }),
    timeout: Type.Integer({ description: 'Callers who left the menu without pressing a key' }),
    invalid: Type.Integer({ description: 'Callers who left the menu after wrong entries' }),
    hungUp: Type.Integer({ description: 'Callers who hung up in the menu' }),
  },
  { $id: 'MenuStats' },
);
