import { Button } from '@mantine/core';
import type { OutboundRoute } from '@pbxcore/client';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { RecordScreen } from '../parts/record-screen.tsx';
import { fieldsOf } from './outbound-fields.ts';
import { OutboundForm } from './outbound-form.tsx';

export function OutboundRouteScreen() {
  const { t } = useTranslation();
  return (
    <RecordScreen
      resource="outbound-routes"
      list="/outbound-routes"
      titles={{ one: t('outbound-routes.one'), new: t('outbound-routes.new') }}
      read={api.outboundRoutes}
      nameOf={({ rulename }) => rulename}
      form={(route, isNew) => <OutboundForm route={route} isNew={isNew} />}
      actions={(route, onLeaving) => <Actions route={route} onLeaving={onLeaving} />}
    />
  );
}

interface ActionsProps {
  readonly route: OutboundRoute;
  readonly onLeaving: (isLeaving: boolean) => void;
}

function Actions({ route, onLeaving }: ActionsProps) {
  const { t } = useTranslation();
  const { id, rulename, priority } = route;
  return (
    <>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link to="/outbound-routes/$id" params={{ id: 'new' }} search={{ copy: id }} {...props} />
        )}
      >
        {t('call-flow.copy')}
      </Button>
      <DeleteButton
        name={rulename}
        list="/outbound-routes"
        users={async () => []}
        remove={() => api.outboundRoutes.delete(id)}
        restore={() => api.outboundRoutes.create({ ...fieldsOf(route), priority })}
        onLeaving={onLeaving}
      />
    </>
  );
}
