import type { Menu } from '@pbxcore/client';

const FIELDS = [
  'name',
  'extension',
  'description',
  'audio_message_id',
  'timeout',
  'number_of_repeat',
  'timeout_extension',
  'timeout_audio_message_id',
  'invalid_extension',
  'invalid_audio_message_id',
  'allow_enter_any_internal_extension',
] as const satisfies readonly (keyof Menu)[];

export interface Key {
  readonly digits: string;
  readonly extension: string;
}

/** The editable fields, in the order of the form. */
export type MenuFields = Pick<Menu, (typeof FIELDS)[number]> & { readonly actions: readonly Key[] };

export function fieldsOf(menu: Menu): MenuFields {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, menu[name]]));
  return {
    ...(fields as Pick<Menu, (typeof FIELDS)[number]>),
    actions: menu.actions.map(({ digits, extension }) => ({ digits, extension })),
  };
}

/** The key for a new row: the first unused one, as on a phone. */
export const nextKey = (keys: readonly Key[]): string =>
  [...'1234567890*#'].find((digit) => keys.every(({ digits }) => digits !== digit)) ?? '';
