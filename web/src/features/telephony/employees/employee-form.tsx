import { Stack } from '@mantine/core';
import type { Employee, EmployeesCreateBody } from '@pbxcore/client';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx';
import { Form } from '../../../ui/form.tsx';
import { useRecordForm } from '../../../ui/record-form.ts';
import { say } from '../../../ui/undo.tsx';
import { CallingOutFields } from './calling-out-fields.tsx';
import { type EmployeeFields, fieldsOf } from './employee-fields.ts';
import { employeesChanged } from './employee-removal.ts';
import { ForwardingFields } from './forwarding-fields.tsx';
import { PersonFields } from './person-fields.tsx';
import { PhoneFields } from './phone-fields.tsx';

/** Properties of each part of the form. */
export interface PartProps {
  readonly employee: Employee;
  readonly values: EmployeeFields;
  readonly set: <Name extends keyof EmployeeFields>(name: Name, value: EmployeeFields[Name]) => void;
  readonly problems: Readonly<Record<string, string>>;
}

export function EmployeeForm({ employee }: { readonly employee: Employee }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isNew = employee.id === '';
  const { edited, values, set, problems, body, form } = useRecordForm({
    record: employee,
    valuesOf: fieldsOf,
    read: isNew ? undefined : () => api.employees.getRecord(employee.id),
    bodyOf,
    write: (sent) =>
      isNew ? api.employees.create(sent as EmployeesCreateBody) : api.employees.patch(employee.id, sent),
    async done(stored) {
      queryClient.setQueryData(['employees', 'getRecord', stored.id], stored);
      await employeesChanged();
      say(
        isNew
          ? t('employees.created', { number: stored.number, name: stored.user_username })
          : t('employees.saved'),
      );
      if (isNew) await navigate({ to: '/employees/$id', params: { id: stored.id }, replace: true });
    },
  });
  const path = isNew ? '/employees' : `/employees/${employee.id}`;
  const part: PartProps = { employee, values, set, problems };
  return (
    <Form
      {...form}
      action={t(isNew ? 'employees.create' : 'employees.save')}
      onCancel={() => void navigate({ to: '/employees' })}
      beside={<ApiCall method={isNew ? 'POST' : 'PATCH'} path={path} body={withoutSecret(body)} />}
    >
      <ChangedMeanwhile edited={edited} label={(name) => t(`employees.field.${name}`)} show={shown} />
      <Stack gap="lg">
        <PersonFields {...part} />
        <PhoneFields {...part} />
        <ForwardingFields {...part} />
        <CallingOutFields {...part} />
      </Stack>
    </Form>
  );
}

/** If only the forward is sent, the service sets the ring length itself: this sends the one shown. */
function bodyOf(changes: Partial<EmployeeFields>, values: EmployeeFields): Partial<EmployeeFields> {
  if (changes.fwd_forwarding === undefined) return changes;
  return { ...changes, fwd_ringlength: values.fwd_ringlength };
}

/** A call copied into a script shows where the secret goes, but not its value. */
const withoutSecret = (body: Partial<EmployeeFields>) =>
  body.sip_secret === undefined ? body : { ...body, sip_secret: '…' };

function shown(name: keyof EmployeeFields, value: EmployeeFields[keyof EmployeeFields]): string {
  if (name === 'sip_secret') return '•'.repeat(8);
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  return value === '' ? '–' : String(value);
}
