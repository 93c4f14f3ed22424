import { useState } from 'react';

interface State<T> {
  /** The record as it was last handed over. */
  readonly seen: T;
  /** What is stored, as far as is known. */
  readonly latest: T;
  /** What the person began with. */
  readonly base: T;
  readonly values: T;
}

export interface Edited<T> {
  readonly values: T;
  readonly set: <Name extends keyof T>(name: Name, value: T[Name]) => void;
  /** What differs from the stored record: the body of a PATCH. */
  readonly changes: Partial<T>;
  readonly isDirty: boolean;
  /** Fields that somebody else changed since; to be settled before anything is saved. */
  readonly meanwhile: readonly (keyof T & string)[];
  readonly latest: T;
  /** Goes on from what is stored now, with the own values of the named fields. */
  readonly settle: (mine: readonly (keyof T)[]) => void;
  /** The record as it was answered to the own change. What was typed while `sent` was on its way stays, as a change. */
  readonly saved: (record: T, sent: T) => void;
  /** Hands over the record as it is stored now; true when nobody else has changed it. */
  readonly compare: (record: T) => boolean;
}

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
const namesOf = <T extends object>(record: T) => Object.keys(record) as (keyof T & string)[];
const differing = <T extends object>(a: T, b: T) => namesOf(a).filter((name) => !isSame(a[name], b[name]));

/** Without own changes the form shows what is stored; with them, only what both changed alike needs no word. */
function follow<T extends object>(state: State<T>): State<T> {
  const { latest, base, values } = state;
  if (differing(values, base).length === 0) return { ...state, base: latest, values: latest };
  const isAlike = differing(latest, base).every((name) => isSame(latest[name], values[name]));
  return isAlike ? { ...state, base: latest } : state;
}

/** The fields of a form over a record that others may change meanwhile. `record` is the same object until it is read anew. */
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
