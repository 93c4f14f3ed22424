import { NumberInput, Radio, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { Fail2BanRules } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx';
import { Form } from '../../../ui/form.tsx';
import { useRecordForm } from '../../../ui/record-form.ts';
import { offerUndo } from '../../../ui/undo.tsx';
import { PRESET_NAMES, PRESETS, type PresetName, presetOf, type RuleValues } from './presets.ts';

const NUMBERS = ['maxretry', 'findtime', 'bantime'] as const;

const valuesOf = ({ extensionsCount: _, ...rules }: Fail2BanRules): RuleValues => rules;

async function write(rules: Partial<RuleValues>) {
  const answer = await api.fail2ban.patch(rules);
  await Promise.all(
    ['fail2ban', 'firewall'].map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })),
  );
  return answer;
}

export function RulesForm({ record }: { readonly record: Fail2BanRules }) {
  const { t } = useTranslation();
  const { edited, values, set, problems, body, form } = useRecordForm({
    record,
    valuesOf,
    read: () => api.fail2ban.getRecord(),
    bodyOf: (changes) => changes,
    write,
    done: (_, replaced) => offerUndo(t('fail2ban.saved'), () => write(replaced)),
  });
  const label = (name: keyof RuleValues) => t(`fail2ban.fields.${name}`);

  function choose(name: string) {
    const preset = PRESETS[name as PresetName];
    if (preset) for (const field of NUMBERS) set(field, preset[field]);
  }

  return (
    <Stack maw={680}>
      <Form
        {...form}
        action={t('fail2ban.save')}
        beside={<ApiCall method="PATCH" path="/fail2ban" body={body} />}
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
              error={problems[name]}
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
          error={problems.whitelist}
        />
        <TextInput
          label={label('PBXFirewallMaxReqSec')}
          description={t('fail2ban.maxReqHint')}
          inputMode="numeric"
          value={values.PBXFirewallMaxReqSec}
          onChange={({ currentTarget }) => set('PBXFirewallMaxReqSec', currentTarget.value.trim())}
          error={problems.PBXFirewallMaxReqSec}
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

/** "1 day", "10 minutes": in the largest unit without a remainder. */
function useDuration(seconds: number): string {
  const { i18n } = useTranslation();
  const [unit, size] =
    UNITS.find(([, step]) => seconds >= step && seconds % step === 0) ?? (['second', 1] as const);
  const format = new Intl.NumberFormat(i18n.language, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format((seconds || 0) / size);
}
