import { useNavigate, useSearch } from '@tanstack/react-router';

/** The query of the URL, always as strings: a hand-typed one may contain anything. */
export function useAddress() {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const get = (name: string): string => (typeof search[name] === 'string' ? search[name] : '');
  return {
    get,
    /** A non-negative whole number, else 0. */
    count: (name: string): number => (/^\d{1,9}$/.test(get(name)) ? Number(get(name)) : 0),
    oneOf: <T extends string>(name: string, known: readonly T[], fallback: T): T =>
      known.find((value) => value === get(name)) ?? fallback,
    /** An empty value removes the name. `replace`: without a step for the back button, as for every letter typed. */
    set(changes: Readonly<Record<string, string>>, { replace = false } = {}): void {
      void navigate({ to: '.', search: (old) => ({ ...old, ...changes }), replace });
    },
  };
}
