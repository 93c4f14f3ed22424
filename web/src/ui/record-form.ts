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
  /** The editable part of the record, named as in requests. */
  readonly valuesOf: (record: Stored) => Values;
  /** Reads the stored record; `undefined` for a new one. */
  readonly read: (() => Promise<{ readonly data: Stored }>) | undefined;
  /** The request body: for a stored record the changes, for a new one everything. */
  readonly bodyOf: (changes: Partial<Values>, values: Values) => Body;
  /** Creates or patches. */
  readonly write: (body: Body) => Promise<Answer<Stored>>;
  /** Called once stored, to refetch lists, show a message and maybe leave the screen. `replaced` undoes the changes. */
  readonly done: (stored: Stored, replaced: Partial<Values>) => unknown;
  /** `done` leaves the screen, as it always does for a new record. */
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
 * A form for one record: the record is refetched before anything is written, and the person first decides about changes
 * that somebody else made meanwhile; then only changes are sent, and refusals are shown at their fields.
 */
export function useRecordForm<Stored, Values extends object, Body>(
  options: RecordFormOptions<Stored, Values, Body>,
): RecordForm<Values, Body> {
  const { record, valuesOf, read, bodyOf, write, done, leaves = !read } = options;
  // Statuses and counters change a record all the time; only editable fields are compared.
  const editable = JSON.stringify(valuesOf(record));
  const edited = useEdited(useMemo(() => JSON.parse(editable) as Values, [editable]));
  const { values, changes, isDirty } = edited;
  const { busy, problems, send, forget } = useSending(Object.keys(values));
  const body = bodyOf(read ? changes : values, values);

  async function save(): Promise<void> {
    // The other's changes are on the screen and need a decision first.
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
      // Input that would be lost with the screen is not accepted.
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
