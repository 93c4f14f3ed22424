import { isIPv6 } from 'node:net';
import { PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import type { DesiredProvider, DesiredState } from '../../desired-state.ts';
import { type Setting, uriUser } from './encode.ts';

const HOST = /^[A-Za-z0-9_.:[\]-]+$/;

/** How a provider sees us: `''` as the user = by the caller's number. */
export function senderOf(provider: DesiredProvider): { readonly user: string; readonly host: string } {
  const { hidesFromUser, fromUser, username, fromDomain, host } = provider;
  const domain = fromDomain || host;
  return {
    user: hidesFromUser ? '' : uriUser(fromUser || username),
    host: HOST.test(domain) ? bracketed(domain) : '',
  };
}

/**
 * True if calls may show different numbers. The engine never shows a number other than `from_user`, so then the
 * dialplan sets `From` for each call (contract 23.12).
 */
export const choosesCallerIds = ({ extensions, callFlow = PLAIN_CALL_FLOW }: DesiredState): boolean =>
  callFlow.outboundRoutes !== undefined || extensions.some(({ outgoingCallerId }) => outgoingCallerId);

export function senderSettings(provider: DesiredProvider, isChosen: boolean): Setting[] {
  const { user, host } = senderOf(provider);
  return [
    ...(user === '' || isChosen ? [] : [['from_user', user] as const]),
    ...(host === '' ? [] : [['from_domain', host] as const]),
  ];
}

export const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);
