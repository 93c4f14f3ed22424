/** Settings of the service, as far as they say where it keeps its data and finds its engine. */
interface Places {
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly telephony: {
    readonly asterisk: { readonly remote: { readonly port: number } | undefined };
  };
}

/** Ports that no module reaches on this machine. Those that the addresses of the stores do not name are usual. */
export function closedPortsOf({ databaseUrl, redisUrl, telephony }: Places): number[] {
  const { remote } = telephony.asterisk;
  const ofStores = [databaseUrl, redisUrl].flatMap((url) => {
    if (url === undefined) return [];
    const { port, protocol } = new URL(url);
    return Number(port || (protocol.startsWith('redis') ? 6379 : 5432));
  });
  return remote ? [...ofStores, remote.port] : ofStores;
}
