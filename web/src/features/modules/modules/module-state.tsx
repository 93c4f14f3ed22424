import type { Module } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { Status } from '../../../ui/status.tsx';

/** In one word; also `broken` if it is meant to run and cannot. */
export function stateOf({ disabled, disableReason, broken }: Module): 'on' | 'off' | 'broken' {
  if (broken) return 'broken';
  if (!disabled) return 'on';
  return disableReason === '' || disableReason === 'DisabledByUser' ? 'off' : 'broken';
}

const TONES = { on: 'good', off: 'off', broken: 'bad' } as const;

export function ModuleState({ module }: { readonly module: Module }) {
  const { t } = useTranslation();
  const state = stateOf(module);
  return <Status tone={TONES[state]} label={t(`modules.state.${state}`)} />;
}
