/** The package ships no types. */
declare module '@crowdsec/express-bouncer' {
  interface Visit {
    readonly connection: { readonly remoteAddress: string };
    readonly headers: object;
  }
  interface Reply {
    status(code: number): void;
    send(text: string): void;
  }
  function createMiddleware(options: {
    readonly url: string;
    readonly apiKey: string;
    readonly customLogger: object;
  }): Promise<(visit: Visit, reply: Reply, next: () => void) => Promise<void>>;
  export = createMiddleware;
}
