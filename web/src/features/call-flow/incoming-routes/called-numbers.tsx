import { Anchor, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useExchangeZone } from '../../../api/use-exchange-zone.ts';
import { WallTime } from '../../../ui/wall-time.tsx';

/** Called numbers that no route names: most of them need one. Hidden while there are none. */
export function CalledNumbers() {
  const { t } = useTranslation();
  const { data: zone } = useExchangeZone();
  const { data = [] } = useQuery({
    queryKey: ['incoming-routes', 'getUniqueDIDs'],
    queryFn: async () => (await api.incomingRoutes.getUniqueDIDs({ unmatched: true })).data,
  });
  if (data.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h4" mb={4}>
        {t('incoming-routes.called.title')}
      </Title>
      <Table maw={620} verticalSpacing={4} captionSide="top">
        <caption className="unseen">{t('incoming-routes.called.title')}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('incoming-routes.field.number')}</Table.Th>
            <Table.Th ta="right">{t('incoming-routes.called.calls')}</Table.Th>
            <Table.Th>{t('incoming-routes.called.lastSeen', { zone: zone ?? 'UTC' })}</Table.Th>
            <Table.Th>
              <span className="unseen">{t('incoming-routes.new')}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map(({ value, lastSeen, calls }) => (
            <Table.Tr key={value}>
              <Table.Td className="digits">
                <bdi>{value}</bdi>
              </Table.Td>
              <Table.Td ta="right" className="digits">
                {calls}
              </Table.Td>
              <Table.Td>
                <WallTime at={lastSeen} />
              </Table.Td>
              <Table.Td>
                <Anchor
                  size="sm"
                  aria-label={t('incoming-routes.called.routeFor', { number: value })}
                  renderRoot={(props) => (
                    <Link
                      to="/incoming-routes/$id"
                      params={{ id: 'new' }}
                      search={{ number: value }}
                      {...props}
                    />
                  )}
                >
                  {t('incoming-routes.called.make')}
                </Anchor>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
