import type { Logger } from 'pino';
import { type SipProvider, unserved } from './sip-provider.ts';

interface Providers {
  inService(): readonly SipProvider[];
  onChange(listener: () => void): void;
}

/** Logs values of providers in service that the engine does not get, once until they change (contract 17.9). */
export function followUnserved(providers: Providers, log: Pick<Logger, 'warn'>): void {
  let told = new Set<string>();
  function look(): void {
    const lines = providers
      .inService()
      .flatMap((provider) => unserved(provider).map((what) => `provider ${provider.id}: ${what}`));
    for (const line of lines) if (!told.has(line)) log.warn(line);
    told = new Set(lines);
  }
  providers.onChange(look);
  look();
}
