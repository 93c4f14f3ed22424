import { shownText } from '../../../lib/shown-text.ts';
import type { Device } from '../../engine.ts';
import type { AmiMessage } from '../control/ami.ts';

/** A place where an account can be reached: a phone that registered, or the address of a provider. */
interface Contact {
  readonly endpoint: string;
  readonly device: Device;
}

/** Reads `ContactList` of the whole list and `ContactStatusDetail` of one account, which name things differently. */
export function readContact(message: AmiMessage): Contact | undefined {
  const endpoint = message.Endpoint ?? message.EndpointName;
  const uri = message.Uri ?? message.URI;
  if (endpoint === undefined || uri === undefined) return undefined;
  return {
    endpoint,
    device: {
      ...placeOf(uri),
      userAgent: shownText(message.UserAgent ?? '', 255),
      reach: reachOf(message.Status ?? ''),
      rttMs: rttOf(message.RoundtripUsec ?? ''),
    },
  };
}

/** `sip:201@192.0.2.10:5060;transport=TCP`. The engine wrote the address it saw, not the one the phone claimed. */
function placeOf(uri: string): { address: string; port: number } {
  const match = /^sips?:(?:[^@]*@)?(\[[^\]]*\]|[^:;?>]*)(?::(\d{1,5}))?/i.exec(uri);
  const port = Number(match?.[2] ?? 5060);
  return {
    address: shownText(match?.[1] ?? '', 255).replace(/^\[|\]$/g, ''),
    port: port <= 65_535 ? port : 0,
  };
}

function reachOf(status: string): Device['reach'] {
  if (status === 'Reachable') return 'reachable';
  // Not probed, or not answered yet: it has just registered.
  return status === 'Unreachable' || status === 'Removed' ? 'unreachable' : 'unprobed';
}

function rttOf(microseconds: string): number | null {
  if (!/^\d{1,12}$/.test(microseconds) || Number(microseconds) === 0) return null;
  return Math.round(Number(microseconds) / 1000);
}
