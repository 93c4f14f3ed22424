import { NumberInput, Radio, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { Fail2BanRules } from '@pbxcore/client';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { fieldErrors } from '../../../api/errors.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx';
import { useEdited } from '../../../ui/edited.ts';
import { Form } from '../../../ui/form.tsx';
import { offerUndo, say } from '../../../ui/undo.tsx';
import { PRESET_NAMES, PRESETS, type PresetName, presetOf, RULE_FIELDS, type RuleValues } from './presets.ts';

const NO_PROBLEMS = { fields: {} as Record<string, string>, rest: [] as string[] };
const NUMBERS = ['maxretry', 'findtime', 'bantime'] as const;

const valuesOf = ({ extensionsCount: _, ...rules }: Fail2BanRules): RuleValues => rules;

async function write(rules: Partial<RuleValues>) {
  const { data, messages } = await api.fail2ban.patch(rules);
  await Promise.all(
    ['fail2ban', 'firewall'].map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })),
  );
  for (const warning of messages.warning) say(warning);
  return valuesOf(data);
}

export function RulesForm({ record }: { readonly record: Fail2BanRules }) {
  const { t } = useTranslation();
  const edited = useEdited(useMemo(() => valuesOf(record), [record]));
  const { values, set, changes } = edited;
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const [busy, setBusy] = useState(false);
  const label = (name: keyof RuleValues) => t(`fail2ban.fields.${name}`);

  function choose(name: string) {
    const preset = PRESETS[name as PresetName];
    if (preset) for (const field of NUMBERS) set(field, preset[field]);
  }

  async function submit() {
    setBusy(true);
    setProblems(NO_PROBLEMS);
    try {
      const before = valuesOf((await api.fail2ban.getRecord()).data);
      if (!edited.compare(before)) return;
      const undone = Object.fromEntries(
        Object.keys(changes).map((name) => [name, before[name as keyof RuleValues]]),
      );
      edited.saved(await write(changes));
      offerUndo(t('fail2ban.saved'), () => write(undone));
    } catch (error) {
      setProblems(fieldErrors(error, RULE_FIELDS));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Stack maw={680}>
      <Form
        onSubmit={() => void submit()}
        busy={busy}
        isDirty={edited.isDirty}
        problems={problems.rest}
        action={t('fail2ban.save')}
        beside={<ApiCall method="PATCH" path="/fail2ban" body={changes} />}
      >
        <ChangedMeanwhile edited={edited} label={label} show={(_, value) => String(value)} />
        <Radio.Group label={t('fail2ban.preset')} value={presetOf(values)} onChange={choose}>
          <Stack gap="xs" mt="xs">
            {PRESET_NAMES.map((name) => (
              <Radio
                key={name}
                value={name}
                label={t(`fail2ban.presets.${name}`)}
                description={t(`fail2ban.presetHints.${name}`)}
              />
            ))}
            <Radio
              value="own"
              label={t('fail2ban.presets.own')}
              description={t('fail2ban.presetHints.own')}
            />
          </Stack>
        </Radio.Group>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {NUMBERS.map((name) => (
            <NumberInput
              key={name}
              label={label(name)}
              min={0}
              value={values[name]}
              onChange={(value) => set(name, value)}
              error={problems.fields[name]}
            />
          ))}
        </SimpleGrid>
        <Text size="sm" role="status">
          {t('fail2ban.sentence', {
            count: Number(values.maxretry) || 0,
            findtime: useDuration(Number(values.findtime)),
            bantime: useDuration(Number(values.bantime)),
          })}
        </Text>
        <Textarea
          label={label('whitelist')}
          description={t('fail2ban.whitelistHint')}
          autosize
          minRows={2}
          maxRows={12}
          value={values.whitelist}
          onChange={({ currentTarget }) => set('whitelist', currentTarget.value)}
          error={problems.fields.whitelist}
        />
        <TextInput
          label={label('PBXFirewallMaxReqSec')}
          description={t('fail2ban.maxReqHint')}
          inputMode="numeric"
          value={values.PBXFirewallMaxReqSec}
          onChange={({ currentTarget }) => set('PBXFirewallMaxReqSec', currentTarget.value.trim())}
          error={problems.fields.PBXFirewallMaxReqSec}
          maw={320}
        />
      </Form>
    </Stack>
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** "1 day", "10 minutes": in the largest unit that leaves nothing over. */
function useDuration(seconds: number): string {
  const { i18n } = useTranslation();
  const [unit, size] =
    UNITS.find(([, step]) => seconds >= step && seconds % step === 0) ?? (['second', 1] as const);
  const format = new Intl.NumberFormat(i18n.language, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format((seconds || 0) / size);
}
