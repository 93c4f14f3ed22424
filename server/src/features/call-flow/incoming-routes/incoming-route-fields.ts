import {
  boolean,
  custom,
  described,
  type Field,
  FieldProblem,
  type Fields,
  type Input,
  integer,
  oneOf,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { readRouteNumber } from '../../../lib/route-number.ts';
import { targetField } from '../../../lib/target.ts';
import { soundId } from '../records/common-fields.ts';

export const DEFAULT_ROUTE = '1';
export const LAST_PRIORITY = 9998;
/** Of the default route, after all others. */
export const DEFAULT_PRIORITY = 9999;

const MAX_CALLERS = 200;
const CALLER = /^(\+?\d{1,20}\*?|anonymous)$/;
const CALLER_RULE = 'must be digits, + allowed before them';
const NO_TABS = { test: /^[^\t]*$/, says: 'control characters are not allowed' };

const numberText = text({ max: 50 });
/** Digits, a pattern or a name (contract 22.2); digits may come as a JSON integer. */
const number: Field<string> = {
  ...numberText,
  schema: { type: ['string', 'integer'], maxLength: 50, examples: ['74951234567', '_7495XXXXXXX', 'sales'] },
  read(value) {
    const written = numberText.read(Number.isSafeInteger(value) ? String(value) : value);
    if (!readRouteNumber(written)) throw new FieldProblem('must be a number, a pattern or a name');
    return written;
  },
};

const providerText = text({ max: 100 });
/** Empty means `none`. */
const providerId: Field<string> = {
  ...providerText,
  read: (value) => providerText.read(value) || 'none',
};

const callers = custom<readonly string[]>(
  {
    type: 'array',
    maxItems: MAX_CALLERS,
    items: { type: 'string', pattern: CALLER.source, examples: ['+4930*', '4930111', 'anonymous'] },
  },
  (value) => {
    if (!Array.isArray(value)) throw new FieldProblem('must be an array of numbers');
    if (value.length > MAX_CALLERS)
      throw new FieldProblem(`at most ${MAX_CALLERS} entries (got ${value.length})`);
    return value.map((entry, index) => {
      const written = Number.isSafeInteger(entry) ? String(entry) : entry;
      if (typeof written !== 'string' || !CALLER.test(written.trim()))
        throw new FieldProblem(`[${index}]: ${CALLER_RULE}`);
      return written.trim();
    });
  },
);

/** Clients send the default route back with its own priority, which it keeps. */
const bounded = integer({ min: 0, max: LAST_PRIORITY });
const priority: Field<number> = {
  ...bounded,
  read: (value) =>
    value === DEFAULT_PRIORITY || value === String(DEFAULT_PRIORITY) ? DEFAULT_PRIORITY : bounded.read(value),
};

/** What a client decides about a route (contract 22). */
export const incomingRouteFields = {
  rulename: described(withDefault(text({ max: 100 }), ''), 'Name of the route'),
  note: withDefault(text({ max: 1024, whiteSpace: true, pattern: NO_TABS }), ''),
  number: described(
    withDefault(number, ''),
    'The number called: digits, a pattern such as `_7495XXXXXXX`, or a name; empty = any number',
  ),
  match: described(
    withDefault(oneOf(['exact', 'ends']), 'exact'),
    '`ends`: the called number ends with these digits, at least 4',
  ),
  providerid: described(withDefault(providerId, 'none'), 'Id of a provider; `none` = every provider'),
  callers: described(
    withDefault(callers, []),
    'Only for these callers: numbers, beginnings of numbers followed by `*`, or `anonymous`; empty = all callers',
  ),
  priority: described(
    withDefault(priority, 0),
    'The lowest value is tried first; 0 or absent: after all others',
  ),
  timeout: described(
    withDefault(integer({ min: 0, max: 7400 }), 120),
    'Seconds until the next route is tried; 0 = as long as the target takes',
  ),
  extension: targetField(),
  audio_message_id: described(
    withDefault(soundId, ''),
    'Id of the sound to play before the target; empty or `none` = no sound',
  ),
  disabled: withDefault(boolean, false),
  did_to_extension: described(
    withDefault(boolean, true),
    'Default route only: if the called number is that of an employee, queue or menu, ring there',
  ),
} satisfies Fields;

export type IncomingRoute = Input<typeof incomingRouteFields> & Readonly<Record<string, unknown>>;
