import type { DesiredState } from '../../desired-state.ts';
import type { Ami } from '../control/ami.ts';

/**
 * A registered phone stays reachable for up to an hour, whatever becomes of its account: calls to whoever gets the
 * number or the secret next would ring there too. Asterisk keeps contacts in its own database and has no other way to
 * end them.
 */
export function createStaleContacts({ ami }: { ami: Pick<Ami, 'action' | 'list'> }) {
  /** The secret under which a number may have registered. */
  let secrets: ReadonlyMap<string, string> | undefined;

  return {
    /** Forgets devices of accounts that are gone or have another secret than before. */
    async follow({ extensions }: DesiredState): Promise<void> {
      const before = secrets;
      secrets = new Map(extensions.map(({ number, secret }) => [number, secret]));
      const now = secrets;
      if (!before) return;
      const stale = new Set([...before].filter(([n, secret]) => now.get(n) !== secret).map(([n]) => n));
      if (stale.size === 0) return;
      for (const { ObjectName: contact = '' } of await ami.list('PJSIPShowContacts')) {
        if (!stale.has(contact.split(';@')[0] ?? '')) continue;
        await ami.action('DBDel', { Family: 'registrar', Key: `contact/${contact}` });
      }
    },
  };
}
