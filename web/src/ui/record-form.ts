import { useMemo } from 'react';
import { type Edited, useEdited } from './edited.ts';
import { useSending } from './sending.ts';
import { say } from './undo.tsx';

interface Answer<Stored> {
  readonly data: Stored;
  readonly messages: { readonly warning: readonly string[] };
}

interface RecordFormOptions<Stored, Values extends object, Body> {
  readonly record: Stored;
  /** What of the record can be edited, named as in the requests. */
  readonly valuesOf: (record: Stored) => Values;
  /** Reads what is stored now; `undefined` for a record that is yet to be created. */
  readonly read: (() => Promise<{ readonly data: Stored }>) | undefined;
  /** What is sent: of a stored record the changes, of a new one everything. */
  readonly bodyOf: (changes: Partial<Values>, values: Values) => Body;
  /** Creates or patches. */
  readonly write: (body: Body) => Promise<Answer<Stored>>;
  /** It is stored: lists are to be read again, it is said, the screen may change. `replaced` undoes what was changed. */
  readonly done: (stored: Stored, replaced: Partial<Values>) => unknown;
  /** `done` leaves the screen, as it does for a new record anyway. */
  readonly leaves?: boolean;
}

interface RecordForm<Values extends object, Body> {
  /** For `ChangedMeanwhile`. */
  readonly edited: Edited<Values>;
  readonly values: Values;
  readonly set: Edited<Values>['set'];
  /** What the service refuses, by field. */
  readonly problems: Readonly<Record<string, string>>;
  /** What would be sent now, for `ApiCall`. */
  readonly body: Body;
  /** For `Form`. */
  readonly form: {
    readonly onSubmit: () => void;
    readonly busy: boolean;
    readonly isDirty: boolean;
    readonly problems: readonly string[];
  };
}

/**
 * A form over one record: the record is read again before anything is written, and what somebody else changed meanwhile is
 * put to the person first; then only what was changed is sent, and what the service refuses is said at its field.
 */
export function useRecordForm<Stored, Values extends object, Body>(
  options: RecordFormOptions<Stored, Values, Body>,
): RecordForm<Values, Body> {
  const { record, valuesOf, read, bodyOf, write, done, leaves = !read } = options;
  // Statuses and counters change a record all the time; only what can be edited is compared.
  const editable = JSON.stringify(valuesOf(record));
  const edited = useEdited(useMemo(() => JSON.parse(editable) as Values, [editable]));
  const { values, changes, isDirty } = edited;
  const { busy, problems, send, forget } = useSending(Object.keys(values));
  const body = bodyOf(read ? changes : values, values);

  async function save(): Promise<void> {
    // What somebody else changed is on the screen, and waits for a decision.
    if (edited.meanwhile.length > 0) return;
    await send(async () => {
      const before = read && valuesOf((await read()).data);
      if (before && !edited.compare(before)) return;
      const { data, messages } = await write(body);
      if (before) edited.saved(valuesOf(data), values);
      await done(data, before ? pick(before, Object.keys(changes)) : {});
      for (const warning of messages.warning) say(warning);
    });
  }

  return {
    edited,
    values,
    set(name, value) {
      // What would not come along to the next screen is not taken here either.
      if (busy && leaves) return;
      edited.set(name, value);
      forget(String(name));
    },
    problems: problems.fields,
    body,
    form: { onSubmit: () => void save(), busy, isDirty, problems: problems.rest },
  };
}

const pick = <Values extends object>(values: Values, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))) as Partial<Values>;
