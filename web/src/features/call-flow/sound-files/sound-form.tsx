import { Fieldset, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { SoundFilesCreateBody } from '@pbxcore/client';
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
import { keepWarnings } from '../parts/warnings.tsx';
import { CATEGORIES, type Category, type Sound } from './sound.ts';

const fieldsOf = ({ name, description, category, normalize }: Sound) => ({
  name,
  description,
  category,
  normalize,
});

/** A sound's name and use; its audio has buttons of its own. */
export function SoundForm({ sound, isNew }: { readonly sound: Sound; readonly isNew: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = sound;
  const { edited, values, set, problems, body, form } = useRecordForm({
    record: sound,
    valuesOf: fieldsOf,
    read: isNew ? undefined : () => api.soundFiles.getRecord(id),
    bodyOf: (changes) => changes,
    write: async (sent) =>
      keepWarnings(
        'sound-files',
        await (isNew ? api.soundFiles.create(sent as SoundFilesCreateBody) : api.soundFiles.patch(id, sent)),
      ),
    async done(stored) {
      queryClient.setQueryData(['sound-files', 'getRecord', stored.id], stored);
      await flowChanged();
      say(t('call-flow.saved'));
      if (isNew) await navigate({ to: '/sounds/$id', params: { id: stored.id }, replace: true });
    },
  });
  return (
    <Form
      {...form}
      action={t(isNew ? 'call-flow.create' : 'call-flow.save')}
      onCancel={() => void navigate({ to: '/sounds' })}
      beside={
        <ApiCall
          method={isNew ? 'POST' : 'PATCH'}
          path={isNew ? '/sound-files' : `/sound-files/${id}`}
          body={body}
        />
      }
    >
      <ChangedMeanwhile
        edited={edited}
        label={(name) => t(`sound-files.field.${name}`)}
        show={(_, value) => (typeof value === 'boolean' ? (value ? '✓' : '✗') : value || '–')}
      />
      <Fieldset legend={t('sound-files.about')}>
        <Stack>
          <TextInput
            label={t('sound-files.field.name')}
            required
            autoComplete="off"
            value={values.name}
            onChange={({ currentTarget }) => set('name', currentTarget.value)}
            error={problems.name}
          />
          <Textarea
            label={t('sound-files.field.description')}
            autosize
            minRows={1}
            maxRows={5}
            value={values.description}
            onChange={({ currentTarget }) => set('description', currentTarget.value)}
            error={problems.description}
          />
          <Select
            label={t('sound-files.field.category')}
            maw={320}
            allowDeselect={false}
            value={values.category}
            data={CATEGORIES.map((value) => ({ value, label: t(`sound-files.category.${value}`) }))}
            onChange={(value) => value && set('category', value as Category)}
            error={problems.category}
          />
          <Switch
            label={t('sound-files.field.normalize')}
            description={t('sound-files.normalizeHint')}
            checked={values.normalize}
            onChange={({ currentTarget }) => set('normalize', currentTarget.checked)}
          />
        </Stack>
      </Fieldset>
    </Form>
  );
}
