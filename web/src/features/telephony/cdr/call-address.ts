import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Sorting } from '../../../ui/data-table.tsx';
import { isRange, type Range } from './call-range.ts';

const SORTS = ['start', 'src_num', 'dst_num', 'did', 'disposition', 'duration', 'billsec'] as const;
type CallSort = (typeof SORTS)[number];
export const PER_PAGE = 50;

/** The history's part of the URL. A hand-typed URL may contain anything. */
export interface CallAddress {
  readonly range: Range;
  readonly from: string;
  readonly to: string;
  readonly q: string;
  readonly sorting: Sorting & { readonly by: CallSort };
  readonly offset: number;
  /** The linkedid of the open call. */
  readonly open: string;
}

type Changes = Partial<Record<'range' | 'from' | 'to' | 'q' | 'sort' | 'page' | 'open', string>>;

export function useCallAddress(): CallAddress & {
  set: (changes: Changes, how?: { readonly replace?: boolean }) => void;
} {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const get = (name: string): string => (typeof search[name] === 'string' ? search[name] : '');
  const sort = get('sort');
  const by = SORTS.find((known) => known === sort.replace(/^-/, ''));
  const range = get('range');
  const page = /^[1-9]\d{0,6}$/.test(get('page')) ? Number(get('page')) : 1;
  return {
    range: isRange(range) ? range : '7d',
    from: get('from'),
    to: get('to'),
    q: get('q'),
    sorting: by ? { by, descending: sort.startsWith('-') } : { by: 'start', descending: true },
    offset: (page - 1) * PER_PAGE,
    open: get('open'),
    /** An empty value removes the name. */
    set: (changes, { replace = false } = {}) =>
      void navigate({ to: '.', search: (old: object) => ({ ...old, ...changes }), replace }),
  };
}
