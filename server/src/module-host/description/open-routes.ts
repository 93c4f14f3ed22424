import type { Channel } from '@pbxcore/module/description';

export interface Endpoint {
  readonly verb: string;
  readonly path: string;
  readonly channels: readonly Channel[];
}

/** Endpoints that answer without a key, each with its widest such channel: `public` includes `localhost`. */
export const openEndpoints = (endpoints: readonly Endpoint[]): Endpoint[] =>
  (['public', 'localhost'] as const).flatMap((channel) =>
    endpoints
      .filter(({ channels }) => channels.includes(channel))
      .filter(({ channels }) => channel === 'public' || !channels.includes('public'))
      .map(({ verb, path }) => ({ verb, path, channels: [channel] })),
  );

/** What is answered without a key and was not accepted, in words; empty if nothing. */
export function openedBeyond(described: readonly Endpoint[], accepted: readonly Endpoint[]): string {
  const known = new Set(
    openEndpoints(accepted).flatMap((one) =>
      one.channels.includes('public') ? [nameOf(one, 'public'), nameOf(one, 'localhost')] : [nameOf(one)],
    ),
  );
  const more = openEndpoints(described).filter((one) => !known.has(nameOf(one)));
  const at = (channel: Channel, whom: string) => {
    const routes = more.filter(({ channels }) => channels.includes(channel));
    return routes.length === 0 ? [] : [`${whom}, without a key, at ${shortList(routes)}`];
  };
  const whom = [...at('public', 'everybody'), ...at('localhost', 'programs on this machine')];
  return whom.length === 0 ? '' : `also answers ${whom.join(' and ')}`;
}

const nameOf = ({ verb, path, channels }: Endpoint, channel = channels[0]) => `${channel} ${verb} ${path}`;

const MOST_NAMED = 5;
function shortList(routes: readonly Endpoint[]): string {
  const more = routes.length - MOST_NAMED;
  const named = routes.slice(0, MOST_NAMED).map(({ verb, path }) => `${verb} ${path}`);
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
