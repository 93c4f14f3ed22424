import { useState } from 'react';
import { fieldErrors } from '../api/errors.ts';

interface Problems {
  /** What the service refuses, by field. */
  readonly fields: Readonly<Record<string, string>>;
  /** What belongs to no field. */
  readonly rest: readonly string[];
}

const NONE: Problems = { fields: {}, rest: [] };

/** Sending what a form holds: that it is under way, and what was refused. `fields` are the names the service may blame. */
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
    /** Found here, before anything is sent. */
    refuse: (found: Problems['fields']) => setProblems({ fields: found, rest: [] }),
    /** The field was changed since: what was said about it is old. */
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
