import { useNavigate, useSearch } from '@tanstack/react-router';

/** What the address says after `?`, and a way to change parts of it; an empty text takes a part out. */
export function useAddressState() {
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  return {
    read: (name: string): string => (typeof search[name] === 'string' ? search[name] : ''),
    /** A number from 0 on, whatever was typed into the address. */
    readCount: (name: string): number => {
      const count = Number(search[name]);
      return Number.isSafeInteger(count) && count > 0 ? count : 0;
    },
    change: (parts: Record<string, string>): void =>
      void navigate({ to: '.', search: (now) => ({ ...now, ...parts }), replace: true }),
  };
}
