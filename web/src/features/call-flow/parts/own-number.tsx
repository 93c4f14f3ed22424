import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { HINT_BELOW } from './inputs.tsx';

interface OwnNumberProps {
  readonly value: string;
  /** Its stored number; empty before it is stored. */
  readonly stored: string;
  readonly onChange: (number: string) => void;
  readonly error: string | undefined;
}

/** The number of a menu or queue. Shows while typing whether it is free; the service decides. */
export function OwnNumber({ value, stored, onChange, error }: OwnNumberProps) {
  const { t } = useTranslation();
  const [settled] = useDebouncedValue(value, 250);
  const isAsked = /^\d{2,8}$/.test(settled) && settled !== stored;
  const { data } = useQuery({
    queryKey: ['extensions', 'available', settled],
    queryFn: async () => (await api.extensions.available({ number: settled })).data,
    enabled: isAsked,
    staleTime: 0,
  });
  const known = isAsked && settled === value ? data : undefined;
  const taken =
    known && !known.available ? t('call-flow.taken', { who: known.represent ?? value }) : undefined;
  return (
    <TextInput
      label={t('call-flow.number')}
      required
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      inputWrapperOrder={HINT_BELOW}
      description={
        <span role="status">{known?.available ? t('call-flow.free') : t('call-flow.numberHint')}</span>
      }
      error={error ?? taken}
    />
  );
}
