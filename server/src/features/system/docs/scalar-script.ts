/**
 * Scalar's browser script. The package carries it only as a string inside a Fastify plugin and exports nothing else, so
 * the plugin is registered on an object that merely records the routes, and the one of the script is asked for its body.
 */
export async function loadScalarScript(): Promise<Buffer> {
  // Imported when first asked for: four megabytes that most starts of the service never need.
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const handlers = new Map<string, RouteHandler>();
  const recorder = {
    route: ({ url, handler }: { url: string; handler: RouteHandler }) => handlers.set(url, handler),
    hasPlugin: () => false,
    initialConfig: {},
    log: { warn: () => {} },
  };
  // `url` only keeps the plugin from asking for a document; nothing is fetched.
  const options = { routePrefix: '/docs', configuration: { url: '/' } };
  (plugin as unknown as Plugin)(recorder, options, () => {});

  let script: unknown;
  const reply = {
    header: () => reply,
    send(body: unknown) {
      script = body;
    },
  };
  handlers.get('/docs/js/scalar.js')?.({}, reply);
  if (typeof script !== 'string') throw new Error('the Scalar package no longer offers its script as it did');
  return Buffer.from(script);
}

type RouteHandler = (request: object, reply: object) => unknown;
type Plugin = (instance: object, options: object, done: () => void) => void;
