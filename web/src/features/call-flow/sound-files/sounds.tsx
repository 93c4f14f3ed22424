import { Anchor, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { useAddress } from '../../../ui/address.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { clockTime } from '../../../ui/time.tsx';
import { say } from '../../../ui/undo.tsx';
import { ALL, WholeTable } from '../../../ui/whole-table.tsx';
import { CATEGORIES, type Category, type Sound } from './sound.ts';
import { SoundPlayer } from './sound-player.tsx';
import { SoundUpload } from './sound-upload.tsx';

export function Sounds() {
  const { t } = useTranslation();
  const address = useAddress();
  const category = address.oneOf('category', CATEGORIES, 'custom');
  const query = useQuery({
    queryKey: ['sound-files', 'getList', { category }],
    queryFn: async () => (await api.soundFiles.getList({ category, limit: ALL })).data,
    refetchInterval: useFallbackInterval(),
  });
  return (
    <Page title={t('sound-files.title')} actions={<Upload category={category} />}>
      <SegmentedControl
        aria-label={t('sound-files.field.category')}
        maw={420}
        value={category}
        onChange={(value) => address.set({ category: value === 'custom' ? '' : value, offset: '' })}
        data={CATEGORIES.map((value) => ({ value, label: t(`sound-files.category.${value}`) }))}
      />
      <Text size="sm" c="dimmed" maw={720}>
        {t(`sound-files.categoryHint.${category}`)}
      </Text>
      <WholeTable
        caption={t('sound-files.title')}
        columns={useColumns()}
        query={query}
        orders={{
          name: (a, b) => a.name.localeCompare(b.name),
          seconds: (a, b) => a.seconds - b.seconds,
        }}
        empty={<NoneYet category={category} />}
      />
    </Page>
  );
}

function Upload({ category }: { readonly category: Category }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const router = useRouter();
  return (
    <SoundUpload
      category={category}
      onDone={({ id, name }) => {
        say(t('sound-files.stored', { name }));
        // If the person has gone to another screen meanwhile, stay there.
        if (router.state.location.pathname === '/sounds')
          // The recording is stored: its dialog, still open, need not ask.
          void navigate({ to: '/sounds/$id', params: { id }, ignoreBlocker: true });
      }}
    />
  );
}

function useColumns(): Column<Sound>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'name',
      label: t('sound-files.field.name'),
      sortable: true,
      cell: ({ id, name, description }) => (
        <>
          <Anchor size="sm" renderRoot={(props) => <Link to="/sounds/$id" params={{ id }} {...props} />}>
            <bdi>{name}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed" lineClamp={2}>
            {description}
          </Text>
        </>
      ),
    },
    {
      id: 'seconds',
      label: t('sound-files.length'),
      sortable: true,
      numeric: true,
      cell: ({ seconds, playback_url }) => (playback_url === null ? '–' : clockTime(seconds)),
    },
    { id: 'player', label: t('sound-files.hear'), cell: (sound) => <SoundPlayer sound={sound} /> },
    {
      id: 'usedBy',
      label: t('sound-files.uses'),
      numeric: true,
      cell: ({ usedBy }) => new Set(usedBy.map(({ kind, id }) => `${kind} ${id}`)).size || '–',
    },
  ];
}

function NoneYet({ category }: { readonly category: Category }) {
  const { t } = useTranslation();
  return (
    <Stack align="center" gap="xs">
      <Text fw={600}>{t(`sound-files.none.${category}`)}</Text>
      <Text size="sm" c="dimmed" ta="center">
        {t('sound-files.formats')}
      </Text>
      <Upload category={category} />
    </Stack>
  );
}
