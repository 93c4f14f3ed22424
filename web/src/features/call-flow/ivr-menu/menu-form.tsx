import { Fieldset, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { IvrMenuCreateBody, Menu } from '@pbxcore/client';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx';
import { Form } from '../../../ui/form.tsx';
import { useRecordForm } from '../../../ui/record-form.ts';
import { say } from '../../../ui/undo.tsx';
import { flowChanged } from '../parts/flow-changed.ts';
import type { Part } from '../parts/inputs.tsx';
import { OwnNumber } from '../parts/own-number.tsx';
import { SoundPicker } from '../parts/sound-picker.tsx';
import { keepWarnings } from '../parts/warnings.tsx';
import { FallThroughFields } from './fall-through-fields.tsx';
import { KeyTable } from './key-table.tsx';
import { fieldsOf, type MenuFields } from './menu-fields.ts';

export type MenuPart = Part<Menu, MenuFields>;

export function MenuForm({ menu, isNew }: { readonly menu: Menu; readonly isNew: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = menu;
  const { edited, values, set, problems, body, form } = useRecordForm({
    record: menu,
    valuesOf: fieldsOf,
    read: isNew ? undefined : () => api.ivrMenu.getRecord(id),
    bodyOf: (changes) => changes,
    write: async (sent) =>
      keepWarnings(
        'ivr-menu',
        // With the proposed id, so that sending it twice creates it once.
        await (isNew
          ? api.ivrMenu.create({ ...sent, id } as IvrMenuCreateBody)
          : api.ivrMenu.patch(id, sent as Partial<IvrMenuCreateBody>)),
      ),
    async done(stored) {
      queryClient.setQueryData(['ivr-menu', 'getRecord', stored.id], stored);
      await flowChanged();
      say(t('call-flow.saved'));
      if (isNew) await navigate({ to: '/menus/$id', params: { id: stored.id }, replace: true });
    },
  });
  const part: MenuPart = { record: menu, values, set, problems };
  return (
    <Form
      {...form}
      action={t(isNew ? 'call-flow.create' : 'call-flow.save')}
      onCancel={() => void navigate({ to: '/menus' })}
      beside={
        <ApiCall
          method={isNew ? 'POST' : 'PATCH'}
          path={isNew ? '/ivr-menu' : `/ivr-menu/${id}`}
          body={body as object}
        />
      }
    >
      <ChangedMeanwhile edited={edited} label={(name) => t(`ivr-menu.field.${name}`)} show={shown} />
      <Fieldset legend={t('ivr-menu.one')}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={t('ivr-menu.field.name')}
              required
              autoComplete="off"
              value={values.name}
              onChange={({ currentTarget }) => set('name', currentTarget.value)}
              error={problems.name}
            />
            <OwnNumber
              value={values.extension}
              stored={isNew ? '' : menu.extension}
              onChange={(number) => set('extension', number)}
              error={problems.extension}
            />
          </SimpleGrid>
          <Textarea
            label={t('ivr-menu.field.description')}
            autosize
            minRows={1}
            maxRows={5}
            value={values.description}
            onChange={({ currentTarget }) => set('description', currentTarget.value)}
            error={problems.description}
          />
          <SoundPicker
            label={t('ivr-menu.field.audio_message_id')}
            withLabel
            value={values.audio_message_id}
            represent={menu.audio_message_id_represent}
            nothing={t('ivr-menu.noGreeting')}
            onChange={(id) => set('audio_message_id', id)}
            error={problems.audio_message_id}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('ivr-menu.keys')}>
        <Stack>
          <KeyTable {...part} />
          <Switch
            label={t('ivr-menu.field.allow_enter_any_internal_extension')}
            description={t('ivr-menu.directHint')}
            checked={values.allow_enter_any_internal_extension}
            onChange={({ currentTarget }) => set('allow_enter_any_internal_extension', currentTarget.checked)}
          />
        </Stack>
      </Fieldset>
      <FallThroughFields {...part} />
    </Form>
  );
}

function shown(_: keyof MenuFields, value: MenuFields[keyof MenuFields]): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  if (typeof value === 'string' || typeof value === 'number') return String(value) || '–';
  return value.map(({ digits, extension }) => `${digits} → ${extension}`).join(', ') || '–';
}
