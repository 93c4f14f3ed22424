import { type ComboboxItem, type ComboboxItemGroup, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Extension } from '@pbxcore/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFirstOption } from '../../../ui/first-option.ts';

const WORDS = ['hangup', 'busy', 'did2user', 'voicemail'] as const;
const KINDS = ['SIP', 'QUEUE', 'IVR', 'EXTERNAL'] as const;
const PHONES = ['SIP', 'EXTERNAL'] as const;
/** An option has to have a value of its own; the stored one for nothing is empty. */
const NOTHING = 'nothing';
/** That not all are shown: a line that cannot be chosen. */
const MORE = 'more';
const NUMBER = /^\+?\d{1,20}$/;
/** Of each kind, so that many employees do not hide the queues. What is further down is found by typing. */
const SHOWN = 30;
const NOBODY: readonly Extension[] = [];

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface TargetPickerProps {
  readonly label: string;
  /** Seen above the field, not only heard. */
  readonly withLabel?: boolean;
  /** As wide as there is room, not part of a sentence. */
  readonly isWide?: boolean | undefined;
  readonly required?: boolean;
  /** What is chosen goes into a list, and the next one is chosen here again. */
  readonly isAdder?: boolean;
  /** Only what rings: no menus, queues and words. */
  readonly onlyPhones?: boolean;
  readonly value: string;
  /** How the record names the target, for one that was not chosen here. */
  readonly represent: string;
  /** What happens without a target; absent where there has to be one. */
  readonly nothing?: string;
  readonly onChange: (value: string, represent: string) => void;
  readonly error?: string | undefined;
}

/** Where a call goes: anybody who has a number here, found by name or number, a word, or a number outside that is typed. */
export function TargetPicker(props: TargetPickerProps) {
  const {
    label,
    withLabel,
    isWide = withLabel,
    required,
    value,
    represent,
    nothing,
    onChange,
    error,
  } = props;
  const { onlyPhones = false, isAdder = false } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Choice>({ value, label: represent });
  const words: Choice[] = [
    ...(nothing === undefined ? [] : [{ value: NOTHING, label: nothing }]),
    ...(onlyPhones ? [] : WORDS).map((word) => ({ value: word, label: t(`call-flow.word.${word}`) })),
  ];
  const current = value === '' && nothing !== undefined ? NOTHING : value;
  const shown = [...words, chosen, { value, label: represent }].find(
    (choice) => choice.value === current && choice.label !== '',
  );
  const currentLabel = shown?.label ?? value;
  // Until something else is typed, the field shows what is chosen: that is no search.
  const wanted = typed.trim() === currentLabel ? '' : typed.trim();
  const [search] = useDebouncedValue(wanted, 200);
  const { data = NOBODY } = useQuery({
    queryKey: ['extensions', 'getList', { search }],
    // All: they come by number, and also for the name of their kind, so that the first ones may be nobody who is meant.
    queryFn: async () => (await api.extensions.getList(search ? { search } : {})).data,
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const found = data.filter((one) => fits(one, wanted));
  const isOutside = NUMBER.test(wanted) && !found.some(({ number }) => number === wanted);
  const kinds = (onlyPhones ? PHONES : KINDS).map((kind) => ({
    group: t(`call-flow.kind.${kind}`),
    items: choicesOf(found, kind),
  }));
  const groups: ComboboxItemGroup<Choice>[] = [
    ...kinds.map(({ group, items }) => ({ group, items: items.slice(0, SHOWN) })),
    {
      group: t('call-flow.words'),
      items: words.filter((word) => word.label.toLowerCase().includes(wanted.toLowerCase())),
    },
    // Last: what was typed may be the beginning of a number here, and Enter takes what stands first.
    ...(isOutside ? [{ group: t('call-flow.outside'), items: [{ value: wanted, label: wanted }] }] : []),
  ].filter(({ items }) => items.length > 0);
  const isOffered = groups.some(({ items }) => items.some((item) => item.value === current));
  if (current !== '' && !isOffered)
    groups.push({ group: t('call-flow.chosen'), items: [{ value: current, label: currentLabel }] });
  const isCut = kinds.some(({ items }) => items.length > SHOWN);
  const more: ComboboxItem[] = isCut ? [{ value: MORE, label: t('call-flow.more'), disabled: true }] : [];
  return (
    <Select
      {...(withLabel ? { label } : { 'aria-label': label })}
      required={required ?? false}
      {...(isAdder && { 'data-adder': true, openOnFocus: false })}
      w={isWide ? '100%' : { base: '100%', xs: 310 }}
      searchable
      allowDeselect={false}
      selectFirstOptionOnChange={useFirstOption(data, wanted !== '')}
      placeholder={t('call-flow.targetHint')}
      nothingFoundMessage={t('call-flow.noTarget')}
      value={current === '' ? null : current}
      data={[...groups, ...more]}
      filter={({ options }) => options}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(next, option) => {
        if (next === null || option === null) return;
        setChosen({ value: next, label: option.label });
        onChange(next === NOTHING ? '' : next, option.label);
      }}
      error={error}
    />
  );
}

/** By what is seen of it. The list may also be the answer to what was typed before. */
const fits = ({ number, callerid }: Extension, wanted: string): boolean =>
  `${callerid} ${number}`.toLowerCase().includes(wanted.toLowerCase());

/** Somebody's mobile may be the mobile of several. */
function choicesOf(found: readonly Extension[], kind: string): Choice[] {
  const own = found.filter(({ type }) => type === kind);
  const byNumber = new Map(own.map((one) => [one.number, one]));
  return [...byNumber.values()].map(({ number, callerid }) => ({
    value: number,
    label: callerid === '' ? number : `${callerid} <${number}>`,
  }));
}
