import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchIcon } from '../../../ui/icons.tsx';
import type { useCallAddress } from './call-address.ts';
import type { CallFilter } from './call-queries.ts';
import { RANGES } from './call-range.ts';

interface FilterBarProps {
  readonly address: ReturnType<typeof useCallAddress>;
  readonly filter: CallFilter;
  readonly providers: ReadonlyMap<string, string>;
}

/** Days, and a search field that is sent with Enter: searches of a long history run one at a time. */
export function CallFilterBar({ address, filter, providers }: FilterBarProps) {
  const { t } = useTranslation();
  const { range, q, set } = address;
  return (
    <Stack gap="xs">
      <Group gap="sm" align="flex-end">
        <SegmentedControl
          size="xs"
          aria-label={t('cdr.range.label')}
          data={RANGES.map((value) => ({ value, label: t(`cdr.range.${value}`) }))}
          value={range}
          onChange={(value) => set({ range: value, page: '', ...(value === 'own' && filter.days) })}
        />
        {range === 'own' && <OwnDays {...filter.days} set={set} />}
      </Group>
      {/* Remounted when the URL changes, also by the back button. */}
      <SearchField key={q} q={q} onSearch={(next) => set({ q: next, page: '', open: '' })} />
      <Understood filter={filter} providers={providers} />
    </Stack>
  );
}

interface OwnDaysProps {
  readonly from: string;
  readonly to: string;
  readonly set: (changes: { from?: string; to?: string; page: string }) => void;
}

function OwnDays({ from, to, set }: OwnDaysProps) {
  const { t } = useTranslation();
  return (
    <Group gap="xs">
      <TextInput
        type="date"
        size="xs"
        label={t('cdr.range.from')}
        value={from}
        max={to || '9999-12-31'}
        onChange={({ currentTarget }) => set({ from: currentTarget.value, page: '' })}
      />
      <TextInput
        type="date"
        size="xs"
        label={t('cdr.range.to')}
        value={to}
        min={from}
        max="9999-12-31"
        onChange={({ currentTarget }) => set({ to: currentTarget.value, page: '' })}
      />
    </Group>
  );
}

function SearchField({ q, onSearch }: { readonly q: string; readonly onSearch: (q: string) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(q);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed.trim());
        }}
      >
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            flex={1}
            type="search"
            maxLength={500}
            aria-label={t('cdr.search.label')}
            placeholder="from:201 to:+49 disposition:busy longer:60"
            description={t('cdr.search.hint')}
            inputWrapperOrder={['input', 'description', 'error']}
            leftSection={<SearchIcon size={16} />}
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              // The field's clear button submits without Enter.
              if (currentTarget.value === '' && q !== '') onSearch('');
            }}
          />
          <Button type="submit" variant="default">
            {t('cdr.search.go')}
          </Button>
        </Group>
      </form>
    </search>
  );
}

/** Lists ignored parts of the search, so that nobody misreads the result. */
function Understood({ filter, providers }: Omit<FilterBarProps, 'address'>) {
  const { t } = useTranslation();
  const { provider } = filter.query;
  const sent = filter.parameters.provider;
  const isUnknown =
    provider !== undefined && sent !== undefined && providers.size > 0 && !providers.has(sent);
  if (filter.problems.length === 0 && !isUnknown) return null;
  return (
    <Stack gap={2} role="status">
      {filter.problems.map(({ kind, word }) => (
        <Text key={word} size="sm" c="var(--mantine-color-error)">
          {t(`cdr.search.problem.${kind}`, { word: word.slice(0, 60) })}
        </Text>
      ))}
      {isUnknown && (
        <Text size="sm" c="var(--mantine-color-error)">
          {t('cdr.search.problem.provider', { word: provider.slice(0, 60) })}
        </Text>
      )}
    </Stack>
  );
}
