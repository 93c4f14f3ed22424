import { Accordion, Select, SimpleGrid, Stack, TagsInput, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNetworkFilters } from '../../../api/use-network-filters.ts';
import { Login } from './connection-fields.tsx';
import { type PartProps, useInputs } from './provider-inputs.tsx';

const DTMF_MODES = ['auto', 'rfc4733', 'inband', 'info', 'auto_info'];
const CALLER_SOURCES = ['default', 'from', 'rpid', 'pai', 'custom'];
const PLACEMENTS = ['pai', 'from', 'rpid'];
const DIALLED_SOURCES = ['default', 'to', 'diversion', 'custom'];

/** Fields that most providers do not need, collapsed by topic. */
export function AdvancedFields(part: PartProps) {
  const { t } = useTranslation();
  const { values, problems } = part;
  const has = (...names: string[]) => names.some((name) => problems[name]);
  // A part with a problem is opened: a hidden one could not be corrected.
  const opened = [
    ...(has('networkfilterid', 'additionalHosts') ? ['network'] : []),
    ...(Object.keys(problems).some((name) => /^[cd]id_/.test(name)) ? ['numbers'] : []),
    ...(has('manualattributes', 'outbound_proxy', 'fromuser', 'fromdomain', 'qualifyfreq') ? ['more'] : []),
  ];
  return (
    <Accordion multiple variant="contained" key={opened.join()} defaultValue={opened} order={2}>
      <Accordion.Item value="network">
        <Accordion.Control>{t('sip-providers.network')}</Accordion.Control>
        <Accordion.Panel>
          <NetworkFields {...part} />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="numbers">
        <Accordion.Control>{t('sip-providers.numbers')}</Accordion.Control>
        <Accordion.Panel>
          <NumberFields {...part} />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="more">
        <Accordion.Control>{t('sip-providers.more')}</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            {values.registration_type === 'none' && <Login {...part} />}
            <MoreFields {...part} />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function NetworkFields(part: PartProps) {
  const { t } = useTranslation();
  const { provider, values, set } = part;
  const { shared } = useInputs(part);
  const { data: filters } = useNetworkFilters();
  const chosen = values.networkfilterid;
  const none = { value: 'none', label: t('sip-providers.anywhere') };
  const choices = [
    none,
    ...(filters ?? [])
      .filter(({ value }) => value !== 'none')
      .map(({ value, text }) => ({ value, label: text })),
  ];
  // A deleted one, or not loaded yet: shown with the record's name for it.
  if (!choices.some(({ value }) => value === chosen))
    choices.push({ value: chosen, label: provider.networkfilter_represent });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        {...shared('networkfilterid')}
        allowDeselect={false}
        value={chosen}
        data={choices}
        onChange={(value) => value && set('networkfilterid', value)}
      />
      <TagsInput
        {...shared('additionalHosts')}
        value={[...values.additionalHosts]}
        splitChars={[',', ' ', ';']}
        onChange={(hosts) => set('additionalHosts', hosts)}
      />
    </SimpleGrid>
  );
}

/** Where the caller's and the dialled number are in what the provider sends. */
function NumberFields(part: PartProps) {
  const { t } = useTranslation();
  const { text, choice, flag } = useInputs(part);
  const label = (value: string) => t(`sip-providers.source.${value}`);
  const parts = (side: 'cid' | 'did') => (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {choice(`${side}_source`, side === 'cid' ? CALLER_SOURCES : DIALLED_SOURCES, label)}
      {part.values[`${side}_source`] === 'custom' && text(`${side}_custom_header`)}
      {text(`${side}_parser_start`)}
      {text(`${side}_parser_end`)}
      {text(`${side}_parser_regex`)}
    </SimpleGrid>
  );
  return (
    <Stack gap="lg">
      {parts('cid')}
      {parts('did')}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {choice('cid_placement', PLACEMENTS, (value) => t(`sip-providers.placement.${value}`))}
      </SimpleGrid>
      {flag('cid_did_debug')}
    </Stack>
  );
}

function MoreFields(part: PartProps) {
  const { t } = useTranslation();
  const { values, set } = part;
  const { shared, text, number, choice, flag } = useInputs(part);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {text('outbound_proxy')}
        {choice('dtmfmode', DTMF_MODES, (value) => t(`sip-providers.dtmf.${value}`))}
        {text('fromuser')}
        {text('fromdomain')}
      </SimpleGrid>
      {flag('disablefromuser')}
      {flag('qualify')}
      {values.qualify && <SimpleGrid cols={{ base: 1, sm: 2 }}>{number('qualifyfreq')}</SimpleGrid>}
      <Textarea
        {...shared('manualattributes')}
        autosize
        minRows={2}
        maxRows={10}
        value={values.manualattributes}
        onChange={({ currentTarget }) => set('manualattributes', currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </Stack>
  );
}
