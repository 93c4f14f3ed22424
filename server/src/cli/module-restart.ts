import type { ServiceCall } from './service-client.ts';

/** Its code is read anew when it starts. */
export async function restartModule(call: ServiceCall, id: string) {
  await call('POST', `/modules/${id}:disable`);
  return call('POST', `/modules/${id}:enable`);
}
