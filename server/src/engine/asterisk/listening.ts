import { transportName } from './config/pjsip-employee.ts';

/** What phones cannot reach the engine by, of what it answers to `pjsip show transports`: another program has the port. */
export const deafOver = (shown: string): string[] =>
  (['udp', 'tcp'] as const)
    .filter((protocol) => !new RegExp(`\\s${transportName(protocol)}\\s`).test(shown))
    .map((protocol) => protocol.toUpperCase());
