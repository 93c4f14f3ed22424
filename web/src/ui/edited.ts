import { useState } from 'react';

interface State<T> {
  /** The record that was last passed in. */
  readonly seen: T;
  /** The stored record, as far as known. */
  readonly latest: T;
  /** The record when editing began. */
  readonly base: T;
  readonly values: T;
}

export interface Edited<T> {
  readonly values: T;
  readonly set: <Name extends keyof T>(name: Name, value: T[Name]) => void;
  /** What differs from the stored record: the body of a PATCH. */
  readonly changes: Partial<T>;
  readonly isDirty: boolean;
  /** Fields that somebody else changed since; to be settled before saving. */
  readonly meanwhile: readonly (keyof T & string)[];
  readonly latest: T;
  /** Continues from what is stored now, with the person's own values in the named fields. */
  readonly settle: (mine: readonly (keyof T)[]) => void;
  /** The answer to the person's own change. What was typed after `sent` stays, as a change. */
  readonly saved: (record: T, sent: T) => void;
  /** Takes the record as stored now; true if nobody else has changed it. */
  readonly compare: (record: T) => boolean;
}

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
const namesOf = <T extends object>(record: T) => Object.keys(record) as (keyof T & string)[];
const differing = <T extends object>(a: T, b: T) => namesOf(a).filter((name) => !isSame(a[name], b[name]));

/** Without own changes, the form shows what is stored; otherwise only changes that both made alike are settled. */
function follow<T extends object>(state: State<T>): State<T> {
  const { latest, base, values } = state;
  if (differing(values, base).length === 0) return { ...state, base: latest, values: latest };
  const isAlike = differing(latest, base).every((name) => isSame(latest[name], values[name]));
  return isAlike ? { ...state, base: latest } : state;
}

/** The fields of a form for a record that others may change meanwhile. `record` is the same object until refetched. */
export function useEdited<T extends object>(record: T): Edited<T> {
  const [kept, setState] = useState<State<T>>({ seen: record, latest: record, base: record, values: record });
  let state = kept;
  if (record !== state.seen) {
    state = follow({ ...state, seen: record, latest: record });
    setState(state);
  }
  const { base, values, latest } = state;
  const changed = differing(values, base);
  return {
    values,
    latest,
    set: (name, value) => setState((now) => ({ ...now, values: { ...now.values, [name]: value } })),
    changes: Object.fromEntries(changed.map((name) => [name, values[name]])) as Partial<T>,
    isDirty: changed.length > 0,
    meanwhile: differing(latest, base),
    settle: (mine) =>
      setState((now) => {
        const theirs = differing(now.latest, now.base).filter((name) => !mine.includes(name));
        const taken = Object.fromEntries(theirs.map((name) => [name, now.latest[name]]));
        return { ...now, base: now.latest, values: { ...now.values, ...taken } };
      }),
    saved: (stored, sent) =>
      setState((now) => {
        const typed = differing(now.values, sent).map((name) => [name, now.values[name]]);
        return { ...now, latest: stored, base: stored, values: { ...stored, ...Object.fromEntries(typed) } };
      }),
    compare(stored) {
      setState((now) => follow({ ...now, latest: stored }));
      return differing(stored, base).every((name) => isSame(stored[name], values[name]));
    },
  };
}
