import { Group, List, Paper, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { OutboundTest } from '@pbxcore/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { messageOf } from '../../../api/errors.ts';
import { useAddress } from '../../../ui/address.ts';
import { Status } from '../../../ui/status.tsx';

/** What would happen if somebody dialled a number now, shown while typing. Nothing is dialled. */
export function TestNumber() {
  const { t } = useTranslation();
  const address = useAddress();
  const asked = { number: address.get('number').trim(), employee: address.get('employee').trim() };
  const [{ number, employee }] = useDebouncedValue(asked, 250);
  const { data, error } = useQuery({
    queryKey: ['outbound-routes', 'test', number, employee],
    queryFn: async () => (await api.outboundRoutes.test({ number, ...(employee && { employee }) })).data,
    enabled: number !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const input = (name: 'number' | 'employee') => (
    <TextInput
      label={t(`outbound-routes.test.${name}`)}
      inputMode="tel"
      autoComplete="off"
      w={{ base: '100%', xs: 220 }}
      value={address.get(name)}
      onChange={({ currentTarget }) => address.set({ [name]: currentTarget.value }, { replace: true })}
    />
  );
  return (
    <Paper withBorder p="md">
      <Group align="end">
        {input('number')}
        {input('employee')}
      </Group>
      <div role="status">
        {number !== '' && error && (
          <Text size="sm" c="var(--mantine-color-error)" mt="xs">
            {messageOf(error)}
          </Text>
        )}
        {number !== '' && !error && data && <Verdict test={data} />}
      </div>
    </Paper>
  );
}

function Verdict({ test: { kind, allowed, reason, attempts } }: { readonly test: OutboundTest }) {
  const { t } = useTranslation();
  return (
    <Group mt="xs" gap={4} align="start" style={{ flexDirection: 'column' }}>
      <Status
        tone={allowed ? 'good' : 'bad'}
        label={`${t(`outbound-routes.kind.${kind}`)}${reason && `: ${reason}`}`}
      />
      {attempts.length > 0 && (
        <List type="ordered" size="sm" className="any-break">
          {attempts.map(({ routeId, providerid, provider, rulename, dials, callerid, skipped }) => (
            <List.Item key={`${routeId} ${providerid}`} {...(skipped !== '' && { c: 'dimmed' })}>
              <bdi>{provider}</bdi>
              {rulename !== '' && (
                <>
                  {' ('}
                  <bdi>{rulename}</bdi>)
                </>
              )}
              {': '}
              {skipped === '' ? (
                <>
                  {t('outbound-routes.test.dials')} <b className="digits">{dials}</b>
                  {callerid !== '' && ` ${t('outbound-routes.test.as', { number: callerid })}`}
                </>
              ) : (
                t(`outbound-routes.skipped.${skipped.replaceAll(' ', '-')}`)
              )}
            </List.Item>
          ))}
        </List>
      )}
    </Group>
  );
}
