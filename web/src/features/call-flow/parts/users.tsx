import { Anchor, List } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** One field of a record that refers to something, as the service returns it. */
export interface User {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly field: string;
}

const SCREEN_OF: Readonly<Record<string, string>> = {
  employees: '/employees',
  'incoming-routes': '/incoming-routes',
  'outbound-routes': '/outbound-routes',
  'ivr-menu': '/menus',
  'call-queues': '/queues',
  'off-work-times': '/opening-hours',
  'sound-files': '/sounds',
};

/**
 * The records that prevent the removal of what they refer to (contract 20.7). Forwards and members of queues do not,
 * nor do references of the record to itself.
 */
export const keepersOf = (users: readonly User[], own?: Pick<User, 'kind' | 'id'>): User[] =>
  users.filter(
    ({ kind, id, field }) =>
      kind !== 'employees' && !field.startsWith('members[') && !(kind === own?.kind && id === own.id),
  );

/** The users of something: each record once, as a link. */
export function Users({ users }: { readonly users: readonly User[] }) {
  const { t } = useTranslation();
  const records = [...new Map(users.map((user) => [`${user.kind} ${user.id}`, user])).values()];
  return (
    <List size="sm" className="any-break">
      {records.map(({ kind, id, name }) => {
        const label = `${t(`call-flow.user.${kind}`)} ${name || id}`;
        const screen = SCREEN_OF[kind];
        return (
          <List.Item key={`${kind} ${id}`}>
            {screen ? (
              <Anchor size="sm" renderRoot={(props) => <Link to={`${screen}/${id}`} {...props} />}>
                <bdi>{label}</bdi>
              </Anchor>
            ) : (
              <bdi>{label}</bdi>
            )}
          </List.Item>
        );
      })}
    </List>
  );
}
