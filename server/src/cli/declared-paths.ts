import { apiKeyResource } from '../features/access/api-keys/api-keys.routes.ts';
import { queueResource } from '../features/call-flow/call-queues/queue.schema.ts';
import { incomingRouteResource } from '../features/call-flow/incoming-routes/incoming-routes.feature.ts';
import { menuResource } from '../features/call-flow/ivr-menu/menu.schema.ts';
import { offWorkResource } from '../features/call-flow/off-work-times/off-work-times.feature.ts';
import { outboundResource } from '../features/call-flow/outbound-routes/outbound-route.schema.ts';
import { soundFileResource } from '../features/call-flow/sound-files/sound-files.schema.ts';
import { fail2banResource } from '../features/firewall/fail2ban/fail2ban.routes.ts';
import { firewallResource } from '../features/firewall/firewall/firewall.routes.ts';
import { bouncerResource } from '../features/firewall/firewall-bouncer/firewall-bouncer.routes.ts';
import { networkFilterResource } from '../features/firewall/network-filters/network-filters.routes.ts';
import { moduleResource } from '../features/modules/modules/modules.routes.ts';
import { cdrResource } from '../features/telephony/cdr/cdr.routes.ts';
import { employeeResource } from '../features/telephony/employees/employee-record.ts';
import { extensionResource } from '../features/telephony/extensions/extensions.schema.ts';
import { pbxStatusResource } from '../features/telephony/pbx-status/pbx-status.routes.ts';
import { providerResource } from '../features/telephony/providers/providers.routes.ts';
import { sipResource } from '../features/telephony/sip/sip.routes.ts';
import { sipProviderResource } from '../features/telephony/sip-providers/sip-providers.routes.ts';

/** Paths that keys can be granted. The service takes them from its routes; there are none here. A test compares. */
const declared = new Set(
  [
    apiKeyResource,
    employeeResource,
    cdrResource,
    moduleResource,
    networkFilterResource,
    firewallResource,
    fail2banResource,
    bouncerResource,
    providerResource,
    sipProviderResource,
    sipResource,
    pbxStatusResource,
    extensionResource,
    menuResource,
    incomingRouteResource,
    outboundResource,
    offWorkResource,
    queueResource,
    soundFileResource,
  ].map(({ path }) => path),
);

/** Paths of modules: which ones exist is known only where modules run. */
const moduleResourcePath = /^\/api\/v3\/module-[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/;

export const isDeclaredPath = (path: string): boolean => declared.has(path) || moduleResourcePath.test(path);
