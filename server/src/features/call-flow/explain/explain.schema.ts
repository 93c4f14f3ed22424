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
    'Id of the provider that delivers the call; absent: a provider that no route names',
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
    'Time of the call; all phones are assumed to be registered and free. Absent: now, in the present state',
  ),
  digits: described(
    withDefault(entries, [], ''),
    'What the caller does in menus; after that, the caller presses nothing',
  ),
});

const StepSchema = Type.Object(
  {
    n: Type.Integer({ description: 'Counted from 1' }),
    kind: Type.Enum([...STEP_KINDS]),
    id: Type.String(),
    name: Type.String(),
    text: Type.String({ description: 'One plain sentence' }),
    after: Type.Integer({ description: 'Seconds since the call arrived' }),
    assumed: Type.Boolean({ description: 'The present state was not taken into account' }),
  },
  { $id: 'ExplainedStep' },
);

const RingSchema = Type.Object(
  {
    number: Type.String(),
    name: Type.String(),
    from: Type.Integer({ description: 'Seconds since the call arrived' }),
    to: Type.Integer(),
    state: Type.String({
      description: 'State of the phone as in `sip:getStatuses`; for a queue member, of the device',
    }),
    via: Type.Integer({ description: 'Number of the step that rings it' }),
  },
  { $id: 'ExplainedRing' },
);

export const ExplainedCall = Type.Object(
  {
    at: Type.String(),
    timezone: Type.String(),
    provider: Type.String(),
    number: Type.String(),
    normalised: Type.String({ description: 'The number called, in the form that routes compare' }),
    caller: Type.String(),
    steps: Type.Array(StepSchema, { maxItems: 100 }),
    rings: Type.Array(RingSchema),
    ends: Type.Object({
      by: Type.String({ description: 'Where the call ends, such as `queue 600`' }),
      dialstatus: Type.String(),
      sip: Type.Integer({
        description: 'SIP status sent to the provider; 0 = the call had already been answered',
      }),
    }),
    warnings: Type.Array(Type.String()),
  },
  { $id: 'ExplainedCall' },
);
