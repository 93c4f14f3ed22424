import { Checkbox, Group, Modal, NumberInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { fieldErrors } from '../../../api/errors.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { Form } from '../../../ui/form.tsx';
import { say } from '../../../ui/undo.tsx';
import { CATEGORIES, type Category } from './ban-rows.ts';
import { banned, bansChanged } from './lift.ts';

const TIMES = ['600', '3600', '86400', '604800', '2592000', '31536000'] as const;
const OWN = 'own';
const FIELDS = ['ip', 'seconds', 'category', 'confirm', 'note'];
const LONGEST_NOTE = 200;
const EMPTY = { fields: {} as Record<string, string>, rest: [] as string[] };

interface BanFormProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly address?: string;
}

export function BanForm({ opened, onClose, address = '' }: BanFormProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('bans.banTitle')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <Fields onClose={onClose} address={address} />
    </Modal>
  );
}

function Fields({ onClose, address }: { readonly onClose: () => void; readonly address: string }) {
  const { t } = useTranslation();
  const [ip, setIp] = useState(address);
  const [time, setTime] = useState<string>('86400');
  const [own, setOwn] = useState<string | number>(3600);
  const [category, setCategory] = useState<Category>('sip');
  const [note, setNote] = useState('');
  const [confirm, setConfirm] = useState(false);
  const [problems, setProblems] = useState(EMPTY);
  const [busy, setBusy] = useState(false);
  const mustConfirm = confirm || problems.fields.confirm !== undefined;
  const body = {
    ip: ip.trim(),
    seconds: time === OWN ? own : Number(time),
    category,
    ...(note.trim() !== '' && { note: note.trim() }),
    ...(mustConfirm && { confirm }),
  };

  async function submit() {
    setBusy(true);
    try {
      const { data, messages } = await api.firewall.banIp(body);
      await bansChanged();
      for (const warning of messages.warning) say(warning);
      banned(data.ip, category);
      onClose();
    } catch (error) {
      setProblems(fieldErrors(error, FIELDS));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Form
      onSubmit={() => void submit()}
      busy={busy}
      problems={problems.rest}
      action={t('bans.banNow')}
      onCancel={onClose}
      beside={<ApiCall method="POST" path="/firewall:banIp" body={body} />}
    >
      <TextInput
        label={t('bans.addressOrRange')}
        placeholder="203.0.113.7, 2001:db8::/64"
        value={ip}
        onChange={({ currentTarget }) => setIp(currentTarget.value)}
        error={problems.fields.ip}
        data-autofocus
      />
      <Group grow align="flex-start">
        <Select
          label={t('bans.time')}
          data={[
            ...TIMES.map((value) => ({ value, label: t(`bans.times.${value}`) })),
            { value: OWN, label: t('bans.ownTime') },
          ]}
          value={time}
          onChange={(value) => setTime(value ?? '86400')}
          allowDeselect={false}
          {...(time !== OWN && { error: problems.fields.seconds })}
        />
        {time === OWN && (
          <NumberInput
            label={t('bans.seconds')}
            min={1}
            max={31_536_000}
            value={own}
            onChange={setOwn}
            error={problems.fields.seconds}
          />
        )}
      </Group>
      <Select
        label={t('bans.category')}
        description={t('bans.categoryHint')}
        data={CATEGORIES.map((value) => ({ value, label: t(`bans.categories.${value}`) }))}
        value={category}
        onChange={(value) => setCategory((value ?? 'sip') as Category)}
        allowDeselect={false}
        error={problems.fields.category}
      />
      <TextInput
        label={t('bans.note')}
        description={t('bans.noteHint')}
        value={note}
        maxLength={LONGEST_NOTE}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        error={problems.fields.note}
      />
      {mustConfirm && (
        <Checkbox
          label={t('bans.confirmWide')}
          checked={confirm}
          onChange={({ currentTarget }) => setConfirm(currentTarget.checked)}
          error={problems.fields.confirm}
        />
      )}
    </Form>
  );
}
