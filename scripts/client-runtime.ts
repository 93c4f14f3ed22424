/** The generated client's run-time code, which follows its constant `ROOT` and precedes types and methods. */
export const RUNTIME = `
export interface ClientOptions {
  /** Address of the service, such as \`http://127.0.0.1:8080\`. */
  url: string;
  /** An API key, or the access token of a login; a function is called before each request. */
  credential?: string | (() => string | undefined);
  /** Replaces the built-in \`fetch\`, for example to set time limits or use a proxy. */
  fetch?: typeof fetch;
}

/** Thrown for every answer with status 400 or above. */
export class ApiError extends Error {
  readonly status: number;
  readonly messages: Messages;

  constructor(status: number, messages: Messages) {
    super(messages.error.join('; ') || \`the service answered \${status}\`);
    this.name = 'ApiError';
    this.status = status;
    this.messages = messages;
  }
}

/** A successful answer: the requested data is in \`data\`, warnings and notes for people are in \`messages\`. */
export interface Envelope<Data> {
  result: true;
  data: Data;
  messages: Messages;
  function: string;
  meta: Meta;
  httpCode?: number;
}

type Sent = { query?: object | undefined; body?: object | undefined };

function createSender({ url, credential, fetch: send = fetch }: ClientOptions) {
  /** Resolves to the unread answer if the request succeeds. */
  async function request(method: string, path: string, { query, body }: Sent = {}): Promise<Response> {
    const target = new URL(ROOT + path, url);
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) target.searchParams.set(name, String(value));
    const key = typeof credential === 'function' ? credential() : credential;
    const response = await send(target, {
      method,
      headers: {
        ...(key && { authorization: \`Bearer \${key}\` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const problem = (await response.json().catch(() => undefined)) as { messages?: Messages } | undefined;
    throw new ApiError(response.status, problem?.messages ?? { error: [], info: [], warning: [] });
  }

  return {
    request,
    /** Resolves to the JSON of a successful answer. */
    json: async <T>(method: string, path: string, sent?: Sent): Promise<T> =>
      (await (await request(method, path, sent)).json()) as T,
  };
}

const at = (template: string, id: string | number): string =>
  template.replace('{id}', encodeURIComponent(id));
`;
