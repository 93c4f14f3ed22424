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
/** An option needs a non-empty value; nothing is stored as an empty one. */
const NOTHING = 'nothing';
/** A line that cannot be chosen: not all are shown. */
const MORE = 'more';
const NUMBER = /^\+?\d{1,20}$/;
/** Per kind, so that many employees do not hide the queues. Typing finds the others. */
const SHOWN = 30;
const NOBODY: readonly Extension[] = [];

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface TargetPickerProps {
  readonly label: string;
  /** Shown above the field, not only for screen readers. */
  readonly withLabel?: boolean;
  /** Uses all the width, unlike inside a sentence. */
  readonly isWide?: boolean | undefined;
  readonly required?: boolean;
  /** The choice is added to a list, and the field is used again for the next one. */
  readonly isAdder?: boolean;
  /** Only phones: no menus, queues and words. */
  readonly onlyPhones?: boolean;
  readonly value: string;
  /** The record's name for the target, if it was not chosen here. */
  readonly represent: string;
  /** What happens without a target; absent if one is required. */
  readonly nothing?: string;
  readonly onChange: (value: string, represent: string) => void;
  readonly error?: string | undefined;
}

/** The target of a call: anybody with a number here, found by name or number, a word, or an outside number. */
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
  // Until something else is typed, the field shows the current choice, which is not a search.
  const wanted = typed.trim() === currentLabel ? '' : typed.trim();
  const [search] = useDebouncedValue(wanted, 200);
  const { data = NOBODY } = useQuery({
    queryKey: ['extensions', 'getList', { search }],
    // All: they are ordered by number and also match the name of their kind, so that the first ones may not be meant.
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
    // Last: the text may be the beginning of a number here, and Enter takes the first option.
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

/** By the visible text. The list may still be the answer to an earlier search. */
const fits = ({ number, callerid }: Extension, wanted: string): boolean =>
  `${callerid} ${number}`.toLowerCase().includes(wanted.toLowerCase());

/** Several employees may share a mobile. */
function choicesOf(found: readonly Extension[], kind: string): Choice[] {
  const own = found.filter(({ type }) => type === kind);
  const byNumber = new Map(own.map((one) => [one.number, one]));
  return [...byNumber.values()].map(({ number, callerid }) => ({
    value: number,
    label: callerid === '' ? number : `${callerid} <${number}>`,
  }));
}
