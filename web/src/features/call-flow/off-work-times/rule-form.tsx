import { Fieldset, MultiSelect, Radio, Stack, Switch, TextInput } from '@mantine/core';
import type { OffWorkTime } from '@pbxcore/client';
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
import { SoundPicker } from '../parts/sound-picker.tsx';
import { TargetPicker } from '../parts/target-picker.tsx';
import { keepWarnings } from '../parts/warnings.tsx';
import { fieldsOf, type RuleFields } from './rule-fields.ts';
import { useRouteNames } from './use-route-names.ts';
import { WhenFields } from './when-fields.tsx';

export type RulePart = Part<OffWorkTime, RuleFields>;

export function RuleForm({ rule, isNew }: { readonly rule: OffWorkTime; readonly isNew: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = rule;
  const { edited, values, set, problems, body, form } = useRecordForm({
    record: rule,
    valuesOf: fieldsOf,
    read: isNew ? undefined : () => api.offWorkTimes.getRecord(id),
    bodyOf: (changes) => changes,
    write: async (sent) =>
      keepWarnings(
        'off-work-times',
        await (isNew ? api.offWorkTimes.create(sent) : api.offWorkTimes.patch(id, sent)),
      ),
    async done(stored) {
      queryClient.setQueryData(['off-work-times', 'getRecord', stored.id], stored);
      await flowChanged();
      say(t('call-flow.saved'));
      if (isNew) await navigate({ to: '/opening-hours/$id', params: { id: stored.id }, replace: true });
    },
  });
  const part: RulePart = { record: rule, values, set, problems };
  return (
    <Form
      {...form}
      action={t(isNew ? 'call-flow.create' : 'call-flow.save')}
      onCancel={() => void navigate({ to: '/opening-hours' })}
      beside={
        <ApiCall
          method={isNew ? 'POST' : 'PATCH'}
          path={isNew ? '/off-work-times' : `/off-work-times/${id}`}
          body={body}
        />
      }
    >
      <ChangedMeanwhile edited={edited} label={(name) => t(`off-work-times.field.${name}`)} show={shown} />
      <Fieldset legend={t('off-work-times.one')}>
        <Stack>
          <TextInput
            label={t('off-work-times.field.description')}
            placeholder={t('off-work-times.namePlaceholder')}
            autoComplete="off"
            value={values.description}
            onChange={({ currentTarget }) => set('description', currentTarget.value)}
            error={problems.description}
          />
          <Switch
            label={t('off-work-times.inForce')}
            checked={!values.disabled}
            onChange={({ currentTarget }) => set('disabled', !currentTarget.checked)}
          />
        </Stack>
      </Fieldset>
      <WhenFields {...part} />
      <ThenFields {...part} />
    </Form>
  );
}

/** What callers hear while the line is closed, and for which routes. */
function ThenFields({ record, values, set, problems }: RulePart) {
  const { t } = useTranslation();
  const routes = useRouteNames();
  return (
    <Fieldset legend={t('off-work-times.then')}>
      <Stack>
        <Radio.Group
          aria-label={t('off-work-times.field.action')}
          value={values.action}
          onChange={(value) => set('action', value as RuleFields['action'])}
        >
          <Stack gap={8}>
            <Radio value="extension" label={t('off-work-times.action.extension')} />
            <Radio value="playmessage" label={t('off-work-times.action.playmessage')} />
          </Stack>
        </Radio.Group>
        {values.action === 'extension' ? (
          <div style={{ maxWidth: 420 }}>
            <TargetPicker
              label={t('off-work-times.field.extension')}
              withLabel
              required
              value={values.extension}
              represent={values.extension === record.extension ? record.extension_represent : ''}
              onChange={(value) => set('extension', value)}
              error={problems.extension}
            />
          </div>
        ) : (
          <SoundPicker
            label={t('off-work-times.field.audio_message_id')}
            withLabel
            value={values.audio_message_id}
            represent={record.audio_message_id_represent}
            nothing={t('off-work-times.noSound')}
            onChange={(value) => set('audio_message_id', value)}
            error={problems.audio_message_id}
          />
        )}
        <Switch
          label={t('off-work-times.field.allowRestriction')}
          checked={values.allowRestriction}
          onChange={({ currentTarget }) => set('allowRestriction', currentTarget.checked)}
        />
        {values.allowRestriction && (
          <MultiSelect
            label={t('off-work-times.field.incomingRouteIds')}
            maw={420}
            searchable
            data={routes}
            value={values.incomingRouteIds.map(String)}
            onChange={(ids) => set('incomingRouteIds', ids.map(Number))}
            error={problems.incomingRouteIds}
          />
        )}
      </Stack>
    </Fieldset>
  );
}

function shown(_: keyof RuleFields, value: RuleFields[keyof RuleFields]): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text === '' || text === '-1' ? '–' : text;
}
