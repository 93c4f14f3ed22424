import { Button, Stack } from '@mantine/core';
import type { OffWorkTime } from '@pbxcore/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { RecordScreen } from '../parts/record-screen.tsx';
import { CalendarImport } from './calendar-import.tsx';
import { fieldsOf } from './rule-fields.ts';
import { RuleForm } from './rule-form.tsx';

export function RuleScreen() {
  const { t } = useTranslation();
  const [isLeaving, setLeaving] = useState(false);
  return (
    <RecordScreen
      resource="off-work-times"
      list="/opening-hours"
      titles={{ one: t('off-work-times.one'), new: t('off-work-times.new') }}
      read={api.offWorkTimes}
      nameOf={({ description }) => description}
      form={(rule, isNew) => (
        <Stack>
          <RuleForm rule={rule} isNew={isNew} />
          {!isNew && rule.calType === 'ical' && <CalendarImport id={rule.id} isLeaving={isLeaving} />}
        </Stack>
      )}
      actions={(rule, onLeaving) => (
        <Actions
          rule={rule}
          onLeaving={(is) => {
            setLeaving(is);
            onLeaving(is);
          }}
        />
      )}
    />
  );
}

interface ActionsProps {
  readonly rule: OffWorkTime;
  readonly onLeaving: (isLeaving: boolean) => void;
}

function Actions({ rule, onLeaving }: ActionsProps) {
  const { t } = useTranslation();
  const { id, description, priority, calType } = rule;
  return (
    <>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link to="/opening-hours/$id" params={{ id: 'new' }} search={{ copy: id }} {...props} />
        )}
      >
        {t('call-flow.copy')}
      </Button>
      <DeleteButton
        name={description || t('off-work-times.unnamed', { id })}
        list="/opening-hours"
        users={async () => []}
        remove={() => api.offWorkTimes.delete(id)}
        restore={() => api.offWorkTimes.create({ ...fieldsOf(rule), priority })}
        // The API does not return the file of a calendar.
        {...(calType === 'ical' && { lost: t('off-work-times.calendar.lost') })}
        onLeaving={onLeaving}
      />
    </>
  );
}
