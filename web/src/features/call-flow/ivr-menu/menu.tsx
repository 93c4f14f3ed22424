import { Button, Stack } from '@mantine/core';
import type { IvrMenuCreateBody, Menu } from '@pbxcore/client';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { RecordScreen } from '../parts/record-screen.tsx';
import { keepersOf } from '../parts/users.tsx';
import { fieldsOf } from './menu-fields.ts';
import { MenuForm } from './menu-form.tsx';
import { MenuStats } from './menu-stats.tsx';

export function MenuScreen() {
  const { t } = useTranslation();
  return (
    <RecordScreen
      resource="ivr-menu"
      list="/menus"
      titles={{ one: t('ivr-menu.one'), new: t('ivr-menu.new') }}
      read={api.ivrMenu}
      nameOf={({ name }) => name}
      form={(menu, isNew) => (
        <Stack>
          {!isNew && <MenuStats menu={menu} />}
          <MenuForm menu={menu} isNew={isNew} />
        </Stack>
      )}
      actions={(menu, onLeaving) => <Actions menu={menu} onLeaving={onLeaving} />}
    />
  );
}

interface ActionsProps {
  readonly menu: Menu;
  readonly onLeaving: (isLeaving: boolean) => void;
}

function Actions({ menu, onLeaving }: ActionsProps) {
  const { t } = useTranslation();
  const { id, represent, extension } = menu;
  return (
    <>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link to="/menus/$id" params={{ id: 'new' }} search={{ copy: id }} {...props} />
        )}
      >
        {t('call-flow.copy')}
      </Button>
      <DeleteButton
        name={represent}
        list="/menus"
        isTarget
        users={async () =>
          keepersOf((await api.extensions.getRecord(extension)).data.usedBy, { kind: 'ivr-menu', id })
        }
        remove={(replaceWith) => api.ivrMenu.delete(id, replaceWith === undefined ? {} : { replaceWith })}
        restore={() => api.ivrMenu.create({ ...fieldsOf(menu), id } as IvrMenuCreateBody)}
        onLeaving={onLeaving}
      />
    </>
  );
}
