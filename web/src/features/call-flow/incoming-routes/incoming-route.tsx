import { Button } from '@mantine/core';
import type { IncomingRoute } from '@pbxcore/client';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useAddress } from '../../../ui/address.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { RecordScreen } from '../parts/record-screen.tsx';
import { nameAgain, whereNamed } from './named-route.ts';
import { DEFAULT_ROUTE, fieldsOf } from './route-fields.ts';
import { RouteForm } from './route-form.tsx';

export function IncomingRouteScreen() {
  const { t } = useTranslation();
  const number = useAddress().get('number').slice(0, 50);
  return (
    <RecordScreen
      resource="incoming-routes"
      list="/incoming-routes"
      titles={{ one: t('incoming-routes.one'), new: t('incoming-routes.new') }}
      read={api.incomingRoutes}
      nameOf={(route) => (route.id === DEFAULT_ROUTE ? t('incoming-routes.defaultRoute') : route.rulename)}
      form={(route, isNew) => (
        <RouteForm route={isNew && number ? { ...route, number } : route} isNew={isNew} />
      )}
      actions={(route, onLeaving) =>
        route.id !== DEFAULT_ROUTE && <Actions route={route} onLeaving={onLeaving} />
      }
    />
  );
}

interface ActionsProps {
  readonly route: IncomingRoute;
  readonly onLeaving: (isLeaving: boolean) => void;
}

function Actions({ route, onLeaving }: ActionsProps) {
  const { t } = useTranslation();
  const { id, rulename, number, priority } = route;
  return (
    <>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link to="/incoming-routes/$id" params={{ id: 'new' }} search={{ copy: id }} {...props} />
        )}
      >
        {t('call-flow.copy')}
      </Button>
      <DeleteButton
        name={rulename || number || t('incoming-routes.unnamed', { id })}
        list="/incoming-routes"
        users={async () => []}
        remove={async () => {
          const named = await whereNamed(id);
          return { ...(await api.incomingRoutes.delete(id)), named };
        }}
        restore={async ({ named }) => {
          const made = await api.incomingRoutes.create({ ...fieldsOf(route), priority });
          const warning = await nameAgain(named, made.data.id);
          return { messages: { warning: [...made.messages.warning, ...warning] } };
        }}
        onLeaving={onLeaving}
      />
    </>
  );
}
