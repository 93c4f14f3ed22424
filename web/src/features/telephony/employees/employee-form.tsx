import { Stack } from '@mantine/core';
import type { Employee } from '@pbxcore/client';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { fieldErrors } from '../../../api/errors.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx';
import { useEdited } from '../../../ui/edited.ts';
import { Form } from '../../../ui/form.tsx';
import { say } from '../../../ui/undo.tsx';
import { EMPLOYEE_FIELDS, type EmployeeFields, fieldsOf } from './employee-fields.ts';
import { employeesChanged } from './employee-removal.ts';
import { ForwardingFields } from './forwarding-fields.tsx';
import { PersonFields } from './person-fields.tsx';
import { PhoneFields } from './phone-fields.tsx';

/** What each part of the form is given. */
export interface PartProps {
  readonly employee: Employee;
  readonly values: EmployeeFields;
  readonly set: <Name extends keyof EmployeeFields>(name: Name, value: EmployeeFields[Name]) => void;
  readonly problems: Readonly<Record<string, string>>;
}

const NO_PROBLEMS = { fields: {} as Record<string, string>, rest: [] as string[] };

export function EmployeeForm({ employee }: { readonly employee: Employee }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isNew = employee.id === '';
  const edited = useEdited(useMemo(() => fieldsOf(employee), [employee]));
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const { values } = edited;
  const path = isNew ? '/employees' : `/employees/${employee.id}`;
  const body = isNew ? values : bodyOf(edited.changes, values);

  async function create() {
    const { data, messages } = await api.employees.create(values);
    await employeesChanged();
    tell(t('employees.created', { number: data.number, name: data.user_username }), messages.warning);
    await navigate({ to: '/employees/$id', params: { id: data.id }, replace: true });
  }

  async function change() {
    const key = ['employees', 'getRecord', employee.id];
    const { data: stored } = await api.employees.getRecord(employee.id);
    if (!edited.compare(fieldsOf(stored))) return;
    const { data, messages } = await api.employees.patch(employee.id, body);
    edited.saved(fieldsOf(data));
    queryClient.setQueryData(key, data);
    await employeesChanged();
    tell(t('employees.saved'), messages.warning);
  }

  async function save() {
    // What somebody else changed is on the screen, and waits for a decision.
    if (edited.meanwhile.length > 0) return;
    setBusy(true);
    setProblems(NO_PROBLEMS);
    try {
      await (isNew ? create() : change());
    } catch (error) {
      setProblems(fieldErrors(error, EMPLOYEE_FIELDS));
    } finally {
      setBusy(false);
    }
  }

  const set: PartProps['set'] = (name, value) => {
    edited.set(name, value);
    if (problems.fields[name])
      setProblems({ ...problems, fields: Object.fromEntries(without(problems.fields, name)) });
  };
  const part: PartProps = { employee, values, set, problems: problems.fields };
  return (
    <Form
      onSubmit={() => void save()}
      busy={busy}
      isDirty={edited.isDirty}
      problems={problems.rest}
      action={t(isNew ? 'employees.create' : 'employees.save')}
      onCancel={() => void navigate({ to: '/employees' })}
      beside={<ApiCall method={isNew ? 'POST' : 'PATCH'} path={path} body={withoutSecret(body)} />}
    >
      <ChangedMeanwhile edited={edited} label={(name) => t(`employees.field.${name}`)} show={shown} />
      <Stack gap="lg">
        <PersonFields {...part} />
        <PhoneFields {...part} />
        <ForwardingFields {...part} />
      </Stack>
    </Form>
  );
}

/** The service sets the ring length by itself when only the forward is sent: the form says what it shows. */
function bodyOf(changes: Partial<EmployeeFields>, values: EmployeeFields): Partial<EmployeeFields> {
  if (changes.fwd_forwarding === undefined) return changes;
  return { ...changes, fwd_ringlength: values.fwd_ringlength };
}

/** A call that is copied into a script says where the secret goes, and not what it is. */
const withoutSecret = (body: Partial<EmployeeFields>) =>
  body.sip_secret === undefined ? body : { ...body, sip_secret: '…' };

const without = (fields: Readonly<Record<string, string>>, name: string) =>
  Object.entries(fields).filter(([other]) => other !== name);

function shown(name: keyof EmployeeFields, value: EmployeeFields[keyof EmployeeFields]): string {
  if (name === 'sip_secret') return '•'.repeat(8);
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  return value === '' ? '–' : String(value);
}

function tell(done: string, warnings: readonly string[]): void {
  say(done);
  for (const warning of warnings) say(warning);
}
