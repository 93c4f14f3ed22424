import { MOST_WAYS } from '../../call-flow/outbound-plan.ts';
import type { DesiredProvider } from '../../desired-state.ts';
import { objectName } from '../config/encode.ts';
import { providerEndpoint } from '../config/pjsip-provider.ts';
import { context, exten, providerContext, providerKey } from './contexts.ts';
import { readNumber } from './header-rule.ts';

/** The providers for outgoing calls, in order, and how the numbers of incoming calls from each are read. */
export const renderProviders = (
  providers: readonly DesiredProvider[],
  lines: ReadonlyMap<string, number>,
): string =>
  context('pbx-providers', ...providers.map(outgoing)) +
  context('pbx-provider-order', exten('s', `Return(${orderOf(providers)})`)) +
  providers.map((provider) => incoming(provider, lines.get(provider.id))).join('');

const orderOf = (providers: readonly DesiredProvider[]): string =>
  providers
    .slice(0, MOST_WAYS)
    .map(({ id }) => `${providerKey(id)}-`)
    .join('');

const outgoing = ({ id }: DesiredProvider): string =>
  exten(providerKey(id), `Return(${objectName(providerEndpoint(id))},${objectName(id)})`);

/** The line is identified by the endpoint, never by an address (contract 22.11). */
const incoming = ({ id, callerIdRule, didRule }: DesiredProvider, line: number | undefined): string =>
  context(
    providerContext(providerEndpoint(id)),
    exten(
      's',
      line === undefined
        ? `Set(PBX_FROM=${objectName(id)})`
        : `MSet(PBX_FROM=${objectName(id)},PBX_LINE=${line})`,
      ...readNumber('PBX_DID', didRule),
      ...readNumber('CALLERID(num)', callerIdRule),
      'Goto(pbx-inbound,s,1)',
    ),
  );
