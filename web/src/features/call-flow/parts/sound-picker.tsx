import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';

const NONE = 'none';

interface SoundPickerProps {
  readonly label: string;
  /** Shown above the field, not only for screen readers. */
  readonly withLabel?: boolean;
  readonly category?: 'custom' | 'moh';
  readonly value: string;
  /** The record's name for it, until the list is loaded. */
  readonly represent: string;
  /** What callers hear without a sound. */
  readonly nothing: string;
  readonly onChange: (id: string) => void;
  readonly error?: string | undefined;
}

/** A sound for callers, or none. */
export function SoundPicker(props: SoundPickerProps) {
  const { label, withLabel, category = 'custom', value, represent, nothing, onChange, error } = props;
  const { t } = useTranslation();
  const { data: sounds = [] } = useQuery({
    queryKey: ['sound-files', 'getForSelect', { category }],
    queryFn: async () => (await api.soundFiles.getForSelect({ category })).data,
  });
  const choices = [
    { value: NONE, label: nothing },
    ...sounds.map(({ id, name, path }) => ({
      value: id,
      label: path === '' ? t('call-flow.silentSound', { name }) : name,
    })),
  ];
  const current = value === '' ? NONE : value;
  if (!choices.some((choice) => choice.value === current))
    choices.push({ value: current, label: represent || current });
  return (
    <Select
      {...(withLabel ? { label } : { 'aria-label': label })}
      w={withLabel ? '100%' : { base: '100%', xs: 240 }}
      maw={withLabel ? 420 : undefined}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('call-flow.noSound')}
      value={current}
      data={choices}
      onChange={(next) => next !== null && onChange(next === NONE ? '' : next)}
      error={error}
    />
  );
}
