import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Module } from '@pbxcore/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { fieldErrors } from '../../../api/errors.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { Form } from '../../../ui/form.tsx';
import { say } from '../../../ui/undo.tsx';
import { ResetSettings } from './reset-settings.tsx';
import { SettingInput } from './setting-input.tsx';
import { type Draft, draftOf, NotJson, sentOf } from './setting-values.ts';
import {
  afterSaving,
  disputedOf,
  overStored,
  type TypedSettings,
  valuesOf,
  without,
  withTyped,
} from './typed-settings.ts';

/** A form for the settings that the module declares. Only changes are sent; they restart the module. */
export function ModuleSettings({ module }: { readonly module: Module }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const { id, settingFields } = module;
  const names = Object.keys(settingFields).filter((name) => !settingFields[name]?.readOnly);
  const [typed, setTyped] = useState<TypedSettings>({});
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problems, setProblems] = useState<string[]>([]);
  const shown: Draft = { ...draftOf(settingFields, module.settings), ...valuesOf(typed) };
  // The event may report saved settings before the answer does.
  const disputed = busy ? [] : disputedOf(typed, module.settings);

  async function submit() {
    setBusy(true);
    setErrors({});
    setProblems([]);
    try {
      const { data: now } = await api.modules.getRecord(id);
      cache.setQueryData(['modules', 'getRecord', id], now);
      if (disputedOf(typed, now.settings).length > 0) return;
      const { data } = await api.modules.patch(id, { settings: sentOf(settingFields, valuesOf(typed)) });
      cache.setQueryData(['modules', 'getRecord', id], data);
      setTyped((later) => afterSaving(later, typed, data));
      say(t('modules.saved'));
    } catch (error) {
      if (error instanceof NotJson) return setErrors({ [`settings.${error.field}`]: t('modules.notJson') });
      const found = fieldErrors(
        error,
        names.map((name) => `settings.${name}`),
      );
      setErrors(found.fields);
      setProblems(found.rest);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Stack maw={640}>
      <Form
        onSubmit={() => void submit()}
        busy={busy}
        isDirty={Object.keys(typed).length > 0}
        problems={problems}
        action={t('modules.save')}
        beside={<ApiCall method="PATCH" path={`/modules/${id}`} body={{ settings: shownCall(typed) }} />}
      >
        {names.map((name) => (
          <SettingInput
            key={name}
            name={name}
            field={settingFields[name] as Module['settingFields'][string]}
            value={shown[name] ?? ''}
            isTyped={typed[name] !== undefined}
            error={errors[`settings.${name}`]}
            onChange={(value) => setTyped((now) => withTyped(now, name, value, module))}
            onClear={() =>
              setTyped((now) => ({ ...now, [name]: { value: '', over: module.settings[name] ?? null } }))
            }
          />
        ))}
        {disputed.length > 0 && (
          <Alert variant="default" role="alert" title={t('modules.meanwhile')}>
            {disputed.map((name) => (
              <Text key={name} size="sm">
                {name}: <bdi>{JSON.stringify(module.settings[name])}</bdi>
              </Text>
            ))}
            <Group mt="xs">
              <Button
                size="xs"
                variant="default"
                onClick={() => setTyped(overStored(typed, module.settings))}
              >
                {t('modules.keepMine')}
              </Button>
              <Button size="xs" variant="default" onClick={() => setTyped(without(typed, disputed))}>
                {t('modules.takeTheirs')}
              </Button>
            </Group>
          </Alert>
        )}
      </Form>
      <ResetSettings
        id={id}
        names={names}
        onReset={(data) => {
          cache.setQueryData(['modules', 'getRecord', id], data);
          setTyped({});
        }}
      />
    </Stack>
  );
}

/** Any typed value may be a secret: the call is shown with names only. */
const shownCall = (typed: TypedSettings): object =>
  Object.fromEntries(Object.keys(typed).map((name) => [name, '…']));
