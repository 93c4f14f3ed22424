import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api/api.ts';
import { signOut } from '../ui/leaving.ts';
import { ALL_SCREENS } from './screens.ts';

const [store, spotlight] = createSpotlight();
export const openPalette = spotlight.open;

/** An address or a range: a query for the firewall. */
const isAddress = (text: string): boolean => /^[0-9a-f:.]{3,}(\/\d{1,3})?$/i.test(text) && /[.:]/.test(text);

/** Screens, frequent actions, employees by name or number, addresses: one search field for all of them. */
export function Palette() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const searched = query.trim();
  const { data: employees = [] } = useQuery({
    queryKey: ['employees', 'getList', { search: searched, limit: 8 }],
    queryFn: async () => (await api.employees.getList({ search: searched, limit: 8 })).data.data,
    enabled: searched.length > 1 && !isAddress(searched),
  });
  const screens = ALL_SCREENS.map(({ id, to }) => ({
    id,
    label: t(`app.screen.${id}`),
    onClick: () => void navigate({ to }),
  })).filter(({ label }) => label.toLowerCase().includes(searched.toLowerCase()));
  const actions = [
    {
      id: 'new-employee',
      label: t('employees.new'),
      description: t('app.screen.employees'),
      onClick: () => void navigate({ to: '/employees/$id', params: { id: 'new' } }),
    },
    {
      id: 'ban',
      label: t('bans.ban'),
      description: t('app.screen.bans'),
      onClick: () => void navigate({ to: '/bans' }),
    },
    {
      id: 'new-key',
      label: t('api-keys.newTitle'),
      description: t('app.screen.api-keys'),
      onClick: () => void navigate({ to: '/api-keys/$id', params: { id: 'new' } }),
    },
    { id: 'sign-out', label: t('app.signOut'), description: '', onClick: () => void signOut() },
  ].filter(({ label, description }) =>
    `${label} ${description}`.toLowerCase().includes(searched.toLowerCase()),
  );
  const people = employees.map(({ id, number, user_username }) => ({
    id: `employee-${id}`,
    label: `${number} ${user_username}`,
    description: t('app.screen.employees'),
    onClick: () => void navigate({ to: `/employees/${id}` }),
  }));
  const address = isAddress(searched)
    ? [
        {
          id: 'explain',
          label: t('app.explain', { address: searched }),
          onClick: () => void navigate({ to: '/bans', search: { explain: searched } }),
        },
      ]
    : [];
  return (
    <Spotlight
      store={store}
      // The dialog has no title to name it.
      attributes={{ content: { 'aria-label': t('app.search') } }}
      // Our own shortcuts are silent while somebody types.
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      filter={(_, actions) => actions}
      actions={[...address, ...people, ...screens, ...actions]}
      nothingFound={t('app.nothingFound')}
      searchProps={{ placeholder: t('app.searchHint'), 'aria-label': t('app.search') }}
    />
  );
}
