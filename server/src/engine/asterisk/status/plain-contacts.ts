import type { DesiredState } from '../../desired-state.ts';
import { needsTls } from '../config/pjsip-employee.ts';
import type { Ami, AmiMessage } from '../control/ami.ts';
import { readContact } from './contacts.ts';

interface PlainContactParts {
  readonly ami: Pick<Ami, 'action' | 'list'>;
  /** Called each time that a device registers this way. */
  readonly onRefused: (number: string, address: string) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Devices of TLS-only employees that registered without TLS. Over UDP the engine refuses them itself. Over TCP it knows
 * the domain of a transport only at the address that it gives as its own; at its other addresses it accepts the
 * registration, but cannot ring the phone. So they do not count as devices, and are removed.
 */
export function createPlainContacts({ ami, onRefused, onError }: PlainContactParts) {
  let secured: ReadonlySet<string> = new Set();

  async function remove(number: string): Promise<void> {
    for (const { ObjectName: contact = '', Uri = '' } of await ami.list('PJSIPShowContacts'))
      if (contact.split(';@')[0] === number && isPlain(Uri))
        await ami.action('DBDel', { Family: 'registrar', Key: `contact/${contact}` });
  }

  return {
    follow({ extensions }: Pick<DesiredState, 'extensions'>): void {
      secured = new Set(extensions.flatMap(({ number, transports }) => (needsTls(transports) ? number : [])));
    },
    /** Whether this is such a device; then it is removed. */
    refuses(message: AmiMessage): boolean {
      const { endpoint: number = '', device } = readContact(message) ?? {};
      if (!device || !secured.has(number) || !isPlain(message.Uri ?? message.URI ?? '')) return false;
      onRefused(number, device.address);
      void remove(number).catch(onError);
      return true;
    },
  };
}

const isPlain = (uri: string): boolean => !/^sips:/i.test(uri) && !/;transport=tls\b/i.test(uri);
