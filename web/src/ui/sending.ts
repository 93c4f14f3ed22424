import { useState } from 'react';
import { fieldErrors } from '../api/errors.ts';

interface Problems {
  /** What the service refuses, by field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Problems that belong to no field. */
  readonly rest: readonly string[];
}

const NONE: Problems = { fields: {}, rest: [] };

/** Sends a form: whether it is under way, and what was refused. `fields` are names that the service may object to. */
export function useSending(fields: readonly string[]) {
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState(NONE);
  return {
    busy,
    problems,
    async send(work: () => Promise<unknown>): Promise<void> {
      setBusy(true);
      setProblems(NONE);
      try {
        await work();
      } catch (error) {
        setProblems(fieldErrors(error, fields));
      } finally {
        setBusy(false);
      }
    },
    /** Problems found before sending. */
    refuse: (found: Problems['fields']) => setProblems({ fields: found, rest: [] }),
    /** The field was changed: its problem is outdated. */
    forget: (name: string) =>
      setProblems((now) => {
        if (now.fields[name] === undefined) return now;
        const others = Object.entries(now.fields).filter(
          ([field]) => field !== name && !field.startsWith(`${name}[`),
        );
        return { ...now, fields: Object.fromEntries(others) };
      }),
  };
}
