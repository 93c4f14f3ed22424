import type { DesiredProvider } from '../../desired-state.ts';
import { objectName } from '../config/encode.ts';
import { providerEndpoint } from '../config/pjsip-provider.ts';
import { context, exten, providerContext } from './contexts.ts';
import { readNumber } from './header-rule.ts';

/** Who carries calls out, in order, and how the numbers of calls that come in from each are read. */
export const renderProviders = (providers: readonly DesiredProvider[]): string =>
  context('pbx-providers', ...providers.map(outgoing)) + providers.map(incoming).join('');

const outgoing = ({ id }: DesiredProvider, at: number): string =>
  exten(String(at + 1), `Return(${objectName(providerEndpoint(id))},${objectName(id)})`);

const incoming = ({ id, callerIdRule, didRule }: DesiredProvider): string =>
  context(
    providerContext(providerEndpoint(id)),
    exten(
      's',
      `Set(PBX_FROM=${objectName(id)})`,
      ...readNumber('PBX_DID', didRule),
      ...readNumber('CALLERID(num)', callerIdRule),
      'Goto(pbx-inbound,s,1)',
    ),
  );
