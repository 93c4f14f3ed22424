import Type from 'typebox';
import { STEP_KINDS } from '../../../engine/call-flow/explanation.ts';
import {
  custom,
  described,
  type Field,
  FieldProblem,
  optional,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { readInstant } from '../../../lib/zoned-time.ts';

const MAX_NUMBER = 100;
const MAX_ENTRIES = 250;

/** As a provider sends it. A `+` that a client forgot to encode arrives as a space. */
const sentText = text({ max: MAX_NUMBER });
const sent: Field<string> = {
  ...sentText,
  read: (value) => sentText.read(typeof value === 'string' ? value.replace(/^ /, '+') : value),
};

/** A caller's entries in menus, as in call records: `9,i,t,1`. Whether an entry is wrong is determined anew. */
const entries: Field<readonly string[]> = custom(
  { type: 'string', maxLength: MAX_ENTRIES, examples: ['1,t,9'] },
  (value) => {
    const written = String(value).trim();
    if (written.length > MAX_ENTRIES)
      throw new FieldProblem(`at most ${MAX_ENTRIES} characters (got ${written.length})`);
    const list = written === '' ? [] : written.split(',');
    if (!list.every((entry, at) => isEntry(entry) || (entry === 'i' && isKeys(list[at - 1] ?? ''))))
      throw new FieldProblem('must be entries of 0-9 * #, and t for a silence, with commas between them');
    return list.filter((entry) => entry !== 'i');
  },
);
const isKeys = (entry: string): boolean => /^[0-9*#]+$/.test(entry);
const isEntry = (entry: string): boolean => entry === 't' || isKeys(entry);

export const callQuery = (timezone: string) => ({
  provider: described(
    withDefault(text({ max: 100 }), ''),
    'Provider that delivers the call; absent: one without a route of its own',
  ),
  number: described(withDefault(sent, ''), 'The number called, as a provider sends it'),
  caller: described(withDefault(sent, ''), 'The number of the caller, as a provider sends it'),
  at: described(
    optional(
      custom<number>({ type: 'string', examples: ['2026-05-02T10:00:00'] }, (value) => {
        const at = readInstant(String(value), timezone);
        if (at === undefined)
          throw new FieldProblem('must have the format YYYY-MM-DDTHH:MM:SS or YYYY-MM-DD');
        return at;
      }),
    ),
    'When it comes, with all phones registered and free; absent: now, as everything is now',
  ),
  digits: described(withDefault(entries, [], ''), 'What the caller does in menus; then he is silent'),
});

const StepSchema = Type.Object(
  {
    n: Type.Integer({ description: 'Counted from 1' }),
    kind: Type.Enum([...STEP_KINDS]),
    id: Type.String(),
    name: Type.String(),
    text: Type.String({ description: 'One plain sentence' }),
    after: Type.Integer({ description: 'Seconds since the call came' }),
    assumed: Type.Boolean({ description: 'The present state was not used' }),
  },
  { $id: 'ExplainedStep' },
);

const RingSchema = Type.Object(
  {
    number: Type.String(),
    name: Type.String(),
    from: Type.Integer({ description: 'Seconds since the call came' }),
    to: Type.Integer(),
    state: Type.String({ description: 'Of a phone as `sip:getStatuses`, of a member of a queue its device' }),
    via: Type.Integer({ description: 'The step' }),
  },
  { $id: 'ExplainedRing' },
);

export const ExplainedCall = Type.Object(
  {
    at: Type.String(),
    timezone: Type.String(),
    provider: Type.String(),
    number: Type.String(),
    normalised: Type.String({ description: 'The number called as routes compare it' }),
    caller: Type.String(),
    steps: Type.Array(StepSchema, { maxItems: 100 }),
    rings: Type.Array(RingSchema),
    ends: Type.Object({
      by: Type.String({ description: 'The last station, such as `queue 600`' }),
      dialstatus: Type.String(),
      sip: Type.Integer({ description: 'What the provider is told; 0 = the line had been answered' }),
    }),
    warnings: Type.Array(Type.String()),
  },
  { $id: 'ExplainedCall' },
);
