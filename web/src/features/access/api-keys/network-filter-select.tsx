import { Anchor, Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNetworkFilters } from '../../../api/use-network-filters.ts';

interface NetworkFilterSelectProps {
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly error?: string | undefined;
  /** Such a program has a fixed address. */
  readonly isSuggested?: boolean;
}

/** Where a key may be used from. */
export function NetworkFilterSelect({
  value,
  onChange,
  error,
  isSuggested = false,
}: NetworkFilterSelectProps) {
  const { t } = useTranslation();
  const { data } = useNetworkFilters(true);
  const fixed: Record<string, string> = {
    none: t('api-keys.anywhere'),
    localhost: t('api-keys.thisMachine'),
  };
  const choices = (data ?? []).map((choice) => ({
    value: choice.value,
    label: fixed[choice.value] ?? choice.represent,
  }));
  const isGone = data && !choices.some((choice) => choice.value === value);
  return (
    <Select
      label={t('api-keys.from')}
      description={
        <>
          {t(isSuggested && value === 'none' ? 'api-keys.bindHint' : 'api-keys.fromHint')}{' '}
          <Anchor
            underline="always"
            size="xs"
            renderRoot={(props) => <Link {...props} to="/networks/$id" params={{ id: 'new' }} />}
          >
            {t('api-keys.newNetwork')}
          </Anchor>
        </>
      }
      data={isGone ? [...choices, { value, label: t('api-keys.goneFilter', { id: value }) }] : choices}
      value={value}
      onChange={(id) => onChange(id ?? 'none')}
      allowDeselect={false}
      searchable={choices.length > 10}
      error={error}
    />
  );
}
