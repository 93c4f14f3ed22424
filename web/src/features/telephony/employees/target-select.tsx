import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Employee } from '@pbxcore/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFirstOption } from '../../../ui/first-option.ts';

const SPECIAL = ['hangup', 'busy', 'voicemail', 'did2user'] as const;
/** An option needs a non-empty value; nothing is stored as an empty one. */
const NOTHING = 'nothing';
const NOBODY: readonly Colleague[] = [];
const NUMBER = /^\+?\d{1,20}$/;

type Colleague = Pick<Employee, 'number' | 'user_username'>;

interface TargetSelectProps {
  readonly label: string;
  readonly value: string;
  /** The record's name for it. */
  readonly stored: { readonly value: string; readonly label: string };
  /** What happens without a target. */
  readonly nothing: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/** The target of a call: nothing, a word, a colleague found by name or number, or any typed number. */
export function TargetSelect({ label, value, stored, nothing, onChange, error }: TargetSelectProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosenLabel, setChosenLabel] = useState(stored);
  const fixed = [
    { value: NOTHING, label: nothing },
    ...SPECIAL.map((word) => ({ value: word, label: t(`employees.target.${word}`) })),
  ];
  const current = labelOf(value, [...fixed, stored, chosenLabel]);
  // Until something else is typed, the field shows the current choice, which is not a search.
  const wanted = typed.trim() === current ? '' : typed.trim();
  const [search] = useDebouncedValue(wanted, 200);
  const { data = NOBODY, isPlaceholderData } = useQuery({
    queryKey: ['employees', 'getList', { search, limit: 10 }],
    queryFn: async () =>
      (await api.employees.getList({ limit: 10, order: 'number', ...(search && { search }) })).data.data,
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const isAnswered = search === wanted && !isPlaceholderData;
  const colleagues = isAnswered ? data : data.filter((one) => fits(one, wanted));
  const isNumber = NUMBER.test(wanted) && !colleagues.some(({ number }) => number === wanted);
  const words = fixed.filter(({ label: word }) => word.toLowerCase().includes(wanted.toLowerCase()));
  const options = [
    ...words,
    ...colleagues.map(({ number, user_username }) => ({
      value: number,
      label: `${user_username} <${number}>`,
    })),
    // Last: the text may be the beginning of a colleague's number, and Enter takes the first option.
    ...(isNumber ? [{ value: wanted, label: wanted }] : []),
  ];
  const shownValue = value === '' ? NOTHING : value;
  if (!options.some((option) => option.value === shownValue))
    options.push({ value: shownValue, label: current });
  return (
    <Select
      aria-label={label}
      w={{ base: '100%', xs: 260 }}
      searchable
      allowDeselect={false}
      selectFirstOptionOnChange={useFirstOption(data, wanted !== '')}
      value={shownValue}
      data={options}
      filter={({ options: all }) => all}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(next, option) => {
        if (next === null || option === null) return;
        setChosenLabel({ value: next, label: option.label });
        onChange(next === NOTHING ? '' : next);
      }}
      error={error}
    />
  );
}

/** For a list that is still the answer to an earlier search. */
const fits = ({ number, user_username }: Colleague, wanted: string): boolean =>
  `${user_username} ${number}`.toLowerCase().includes(wanted.toLowerCase());

function labelOf(value: string, known: readonly { value: string; label: string }[]): string {
  const wanted = value === '' ? NOTHING : value;
  return known.find((option) => option.value === wanted && option.label !== '')?.label ?? value;
}
