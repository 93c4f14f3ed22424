/** The settings of the service that say where it keeps its data and where its engine is. */
interface Places {
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly telephony: {
    readonly asterisk: { readonly remote: { readonly port: number } | undefined };
  };
}

/** Ports on this machine that no module may reach. Where a store's address names no port, the default one. */
export function closedPortsOf({ databaseUrl, redisUrl, telephony }: Places): number[] {
  const { remote } = telephony.asterisk;
  const ofStores = [databaseUrl, redisUrl].flatMap((url) => {
    if (url === undefined) return [];
    const { port, protocol } = new URL(url);
    return Number(port || (protocol.startsWith('redis') ? 6379 : 5432));
  });
  return remote ? [...ofStores, remote.port] : ofStores;
}
