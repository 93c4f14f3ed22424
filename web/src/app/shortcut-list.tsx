import { Kbd, Modal, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from '../ui/focus.ts';
import { ALL_SCREENS } from './screens.ts';

export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('app.shortcuts')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <Table>
        <Table.Tbody>
          <Shortcut keys={['Ctrl', 'K']} text={t('app.search')} />
          <Shortcut keys={['/']} text={t('app.search')} />
          {ALL_SCREENS.map(({ id, jump }) => (
            <Shortcut key={id} keys={['g', jump]} text={t(`app.screen.${id}`)} />
          ))}
          <Shortcut keys={['?']} text={t('app.shortcuts')} />
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

function Shortcut({ keys, text }: { readonly keys: readonly string[]; readonly text: string }) {
  return (
    <Table.Tr>
      <Table.Td>{text}</Table.Td>
      <Table.Td ta="right">
        {keys.map((key) => (
          <Kbd key={key} mx={2}>
            {key}
          </Kbd>
        ))}
      </Table.Td>
    </Table.Tr>
  );
}
