import type { FlowRecord } from '../../../lib/flow-record.ts';
import type { FlowResource } from '../records/flow-resource.ts';
import type { FlowView } from '../records/flow-view.ts';
import { MenuListItem, MenuRecord, type MenuValues, menuFields, menuResource } from './menu.schema.ts';

type Menu = FlowRecord<MenuValues>;

/** Menus (contract 25). */
export const menuKind: FlowResource<MenuValues> = {
  kind: 'ivr-menu',
  resource: menuResource,
  fields: menuFields,
  ids: 'IVR',
  nameField: 'name',
  numberField: 'extension',
  Record: MenuRecord,
  ListItem: MenuListItem,

  references: (menu) => [
    ...(['timeout_extension', 'invalid_extension'] as const).map((field) => ({
      field,
      named: 'target' as const,
      name: menu[field],
      whenGone: 'no call goes there',
    })),
    ...menu.actions.map(({ extension }, at) => ({
      field: `actions[${at}].extension`,
      named: 'target' as const,
      name: extension,
      whenGone: 'the entry counts as a wrong one',
    })),
    ...(['audio_message_id', 'invalid_audio_message_id', 'timeout_audio_message_id'] as const).map(
      (field) => ({
        field,
        named: 'sound' as const,
        name: menu[field],
      }),
    ),
  ],
  fallsThroughTo: ({ timeout_extension: silent, invalid_extension: wrong }) => [silent, wrong || silent],

  /** A key may lead back to the menu itself; silence or a wrong entry may not (contract 21.2). */
  broken: ({ extension, timeout_extension: silent, invalid_extension: wrong }) => [
    ...(silent === extension ? ['timeout_extension: must not be the own number'] : []),
    ...(wrong === extension ? ['invalid_extension: must not be the own number'] : []),
  ],

  warnings: (menu, view) => [
    ...waits(menu, view),
    ...(menu.actions.length === 0 && !menu.allow_enter_any_internal_extension
      ? ['actions: there is nothing to choose']
      : []),
    ...(menu.audio_message_id === '' ? ['audio_message_id: callers hear no prompt'] : []),
  ],

  toRecord: ({ id, values }, view) => ({
    ...values,
    id,
    actions: values.actions.map(({ digits, extension }, at) => ({
      id: String(at + 1),
      digits,
      extension,
      extension_represent: view.representTarget(extension),
    })),
    timeout_extension_represent: view.representTarget(values.timeout_extension),
    invalid_extension_represent: view.representTarget(values.invalid_extension),
    audio_message_id_represent: view.representSound(values.audio_message_id),
    invalid_audio_message_id_represent: view.representSound(values.invalid_audio_message_id),
    timeout_audio_message_id_represent: view.representSound(values.timeout_audio_message_id),
    represent: represent(values),
  }),

  toListItem(menu, view) {
    const { id, values } = menu;
    const { name, extension, description, timeout, number_of_repeat, timeout_extension } = values;
    return {
      id,
      name,
      extension,
      description,
      timeout,
      number_of_repeat,
      timeout_extension,
      timeout_extension_represent: view.representTarget(timeout_extension),
      timeoutExtensionRepresent: view.representTarget(timeout_extension),
      actions: values.actions.map((action) => ({
        digits: action.digits,
        represent: view.representTarget(action.extension),
      })),
      represent: represent(values),
      search_index: searched(menu).join(' ').toLowerCase(),
    };
  },

  searched,
  sortedBy: {
    name: ({ values }) => values.name.toLowerCase(),
    extension: ({ values }) => Number(values.extension),
  },
};

const represent = ({ name, extension }: MenuValues): string => `${name} <${extension}>`;

function searched({ values }: Menu): string[] {
  return [values.name, values.description, values.extension];
}

/** An entry that another one begins with is taken only after a pause (contract 25.3, 25.12). */
function waits(menu: MenuValues, view: FlowView): string[] {
  const entries = menu.actions.map(({ digits }) => digits);
  const numbers = menu.allow_enter_any_internal_extension ? view.employees.map(({ number }) => number) : [];
  return entries.flatMap((entry, at) => {
    const longer = [...entries, ...numbers].find((other) => other !== entry && other.startsWith(entry));
    return longer === undefined
      ? []
      : [`actions[${at}].digits: ${entry} waits 2 s, because ${longer} begins with it`];
  });
}
