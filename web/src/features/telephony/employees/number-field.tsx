import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { HINT_BELOW } from './employee-fields.ts';
import type { PartProps } from './employee-form.tsx';

/** Shows while typing whether the number is free. The service decides when the form is sent. */
export function NumberField({ employee, values, set, problems }: PartProps) {
  const { t } = useTranslation();
  const { number } = values;
  const [settled] = useDebouncedValue(number, 250);
  const isOwn = employee.id !== '' && number === employee.number;
  const { data } = useQuery({
    queryKey: ['employees', 'available', settled],
    queryFn: async () => (await api.extensions.available({ number: settled })).data,
    enabled: /^\d{2,8}$/.test(settled) && !isOwn,
    staleTime: 0,
  });
  const known = data && settled === number && !isOwn ? data : undefined;
  const isTaken = known !== undefined && !known.available && known.userId !== employee.id;
  const hint = known?.available ? t('employees.free') : t('employees.hint.number');
  return (
    <TextInput
      label={t('employees.field.number')}
      required
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      value={number}
      onChange={({ currentTarget }) => set('number', currentTarget.value)}
      inputWrapperOrder={HINT_BELOW}
      description={<span role="status">{hint}</span>}
      error={problems.number ?? (isTaken ? t('employees.taken', { who: known.represent ?? '' }) : undefined)}
    />
  );
}
