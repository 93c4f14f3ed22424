/** Services that a network filter opens or closes (contract 7.3). */
export const SERVICES = ['SIP', 'IAX', 'WEB', 'SSH', 'AMI', 'AJAM', 'ICMP'] as const;

/** Open or not, by service, as stored; a service without an entry is open. */
export type ServiceRules = Readonly<Record<string, boolean>>;

export const isOpen = (rules: ServiceRules, service: string): boolean => rules[service] ?? true;
