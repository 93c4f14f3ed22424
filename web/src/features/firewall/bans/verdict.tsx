import { Anchor, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Explanation } from '@pbxcore/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Status } from '../../../ui/status.tsx';
import { sayFailed } from '../../../ui/undo.tsx';
import { useBouncers } from '../firewall-bouncer/use-bouncers.ts';
import { allowAddress } from '../network-filters/allow-address.ts';
import { BanForm } from './ban-form.tsx';
import { endOf, liftableOf } from './ban-rows.ts';
import { banAgain, liftBans } from './lift.ts';
import { TimeLeft } from './time-left.tsx';

interface VerdictProps {
  readonly explanation: Explanation;
  /** Time of the answer: durations count from then. */
  readonly at: number;
}

type Reason = Explanation['bans'][number];
const TONES = { blocked: 'bad', allowed: 'good', clear: 'off' } as const;
const isCatchAll = (entry: string) => entry.endsWith('/0');

export function Verdict({ explanation, at }: VerdictProps) {
  const { t } = useTranslation();
  const [banning, form] = useDisclosure(false);
  const { data = [] } = useBouncers();
  const bouncers = data.filter(({ bouncer: { state } }) => state !== 'never' && state !== 'revoked');
  const { ip, verdict, enforced, bans, whitelist, filters } = explanation;
  const lifted = liftableOf(explanation, at);
  const permitted = filters.filter(({ list, entry }) => list === 'permit' && !isCatchAll(entry));
  // Only bans inside the allowed range are lifted by it.
  const allow = () => allowAddress(ip, () => banAgain(lifted.filter(({ value }) => value === ip)));

  return (
    <Stack gap="xs" mt="md">
      <Group gap="xs">
        <Text fw={700} className="digits">
          {ip}
        </Text>
        <Status tone={TONES[verdict]} label={t(`bans.verdict.${verdict}`)} />
      </Group>
      <List size="sm" spacing={4}>
        {bans.map((ban) => (
          <List.Item key={`${ban.value} ${ban.scenario}`}>
            <BanReason ban={ban} at={at} />
          </List.Item>
        ))}
        {whitelist.map(({ entry, networkFilterId }) => (
          <List.Item key={`${entry} ${networkFilterId}`}>
            {t('bans.allowedBy', { entry })} <Where {...(networkFilterId && { filter: networkFilterId })} />
          </List.Item>
        ))}
        {permitted.map(({ entry, networkFilterId }) => (
          <List.Item key={`${entry} ${networkFilterId} permit`}>
            {t('bans.permittedBy', { entry })} <Where filter={networkFilterId} />
          </List.Item>
        ))}
        {bans.length + whitelist.length + permitted.length === 0 && (
          <List.Item>{t('bans.noReason')}</List.Item>
        )}
        <List.Item>
          {bouncers.length === 0
            ? t(`bans.enforcedByNobody.${enforced}`)
            : t(`bans.enforcedBy.${enforced}`, {
                names: bouncers.map(({ description }) => description).join(', '),
              })}{' '}
          {verdict === 'allowed' && enforced === 'blocked' && t('bans.someStillBlock')}
        </List.Item>
      </List>
      <Group gap="xs">
        {lifted.length > 0 && (
          <Button size="xs" variant="default" onClick={() => void liftBans(lifted)}>
            {t('bans.lift')}
          </Button>
        )}
        {verdict !== 'allowed' && (
          <Button size="xs" variant="default" onClick={() => void allow().catch(sayFailed)}>
            {t('bans.allow')}
          </Button>
        )}
        {verdict === 'clear' && (
          <Button size="xs" variant="default" onClick={form.open}>
            {t('bans.ban')}
          </Button>
        )}
      </Group>
      <BanForm opened={banning} onClose={form.close} address={ip} />
    </Stack>
  );
}

function BanReason({
  ban: { value, scenario, duration, source },
  at,
}: {
  readonly ban: Reason;
  readonly at: number;
}) {
  const { t } = useTranslation();
  if (source.networkFilterId !== undefined)
    return (
      <>
        {t('bans.deniedBy', { entry: value })} <Where filter={source.networkFilterId} />
      </>
    );
  return (
    <Group gap={6} component="span" display="inline-flex">
      <span>
        {t('bans.bannedBy', { entry: value, reason: t(`bans.reason.${scenario.slice('pbx/'.length)}`) })}
      </span>
      <TimeLeft until={endOf(duration, at)} />
      <Code>{source.redisKey}</Code>
    </Group>
  );
}

/** Where to change an entry: in its filter, else in the whitelist of the rules. */
function Where({ filter }: { readonly filter?: string }): ReactNode {
  const { t } = useTranslation();
  return filter === undefined ? (
    <Anchor underline="always" size="sm" renderRoot={(props) => <Link {...props} to="/rules" />}>
      {t('bans.inRules')}
    </Anchor>
  ) : (
    <Anchor
      underline="always"
      size="sm"
      renderRoot={(props) => <Link {...props} to="/networks/$id" params={{ id: filter }} />}
    >
      {t('bans.inFilter', { id: filter })}
    </Anchor>
  );
}
