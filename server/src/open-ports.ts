import type { AppContext } from './app-context.ts';
import type { Limits } from './http/admission.ts';
import { loadCertificate } from './http/certificate.ts';
import { createKernel, type KernelParts } from './http/kernel.ts';
import type { createMetrics } from './http/metrics.ts';
import { createRequestLog } from './http/request-log.ts';
import type { Router } from './http/router.ts';
import { type Listeners, listen } from './http/server.ts';
import type { createSourceAddress } from './http/source-address.ts';

interface Answering {
  readonly router: Router;
  readonly identify: KernelParts['identify'];
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly limits: Limits;
  readonly onWritten: KernelParts['onWritten'];
  readonly sourceAddress: ReturnType<typeof createSourceAddress>;
}

/** Opens the ports, as the last step: anyone who can connect gets an answer. */
export async function openPorts(
  { config, clock, log, opened, errorLogger }: AppContext,
  { router, identify, metrics, limits, onWritten, sourceAddress }: Answering,
): Promise<Listeners> {
  const { timezone, dataDir, httpsPort } = config;
  const logRequest = createRequestLog({ log });
  const handle = createKernel({
    router,
    sourceAddress: sourceAddress.of,
    identify,
    ...limits,
    clock,
    timezone,
    onWritten,
    onBroken: (requestId, error) => log.error({ requestId, err: error }, 'an answer was cut off'),
    observe(exchange) {
      metrics.observe(exchange);
      logRequest(exchange);
    },
  });
  const certificate =
    httpsPort === undefined
      ? undefined
      : await loadCertificate({ dataDir, files: config.tls, now: clock.now() });
  const listeners = await listen({
    handle,
    onAccepted: sourceAddress.accepted,
    host: config.host,
    httpPort: config.httpPort,
    https: certificate && { port: httpsPort as number, ...certificate },
    timezone,
    onDefect: errorLogger('a request failed outside its handler'),
  });
  opened.defer(() => listeners.close());
  return listeners;
}
