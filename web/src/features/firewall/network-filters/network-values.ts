import type { FirewallCreateBody, FirewallRecord } from '@pbxcore/client';

export const SERVICES = ['SIP', 'IAX', 'WEB', 'SSH', 'AMI', 'AJAM', 'ICMP'] as const;
export type Service = (typeof SERVICES)[number];

/** The values of the form, named as in requests. */
export interface NetworkValues {
  readonly network: string;
  readonly subnet: number | string;
  readonly deny: string;
  readonly description: string;
  readonly newer_block_ip: boolean;
  readonly local_network: boolean;
  readonly priority: number | string;
  /** Open services. */
  readonly currentRules: Readonly<Record<Service, boolean>>;
}

export const valuesOf = (record: FirewallRecord): NetworkValues => ({
  network: record.network,
  subnet: record.subnet,
  deny: record.deny,
  description: record.description,
  newer_block_ip: record.newer_block_ip,
  local_network: record.local_network,
  priority: record.priority,
  currentRules: Object.fromEntries(
    SERVICES.map((name) => [name, record.rules[name]?.action ?? true]),
  ) as Record<Service, boolean>,
});

export const bodyOf = (values: NetworkValues): FirewallCreateBody => ({
  ...values,
  currentRules: { ...values.currentRules },
});
