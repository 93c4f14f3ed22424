import { ApiError, createClient } from '@pbxcore/client';

/**
 * The login of this browser (contract 31.5). The access token is kept in memory only; the refresh token is a cookie that no
 * script can read. Every tab takes part: a login or logout in one is seen in the others.
 *
 *   starting ──► out ──► in ──► expired (the cookie no longer counts; what was typed stays) ──► in
 */
export type SessionState = 'starting' | 'out' | 'in' | 'expired';
export interface SessionView {
  readonly state: SessionState;
  readonly login: string;
}

/** Tells whether asking for a new token is worth it: the cookie itself cannot be seen. */
const HINT = 'pbxcore.signed-in';

export function createSession(url: string) {
  let view: SessionView = { state: 'starting', login: '' };
  let token: string | undefined;
  let renewal: Promise<boolean> | undefined;
  let waiting: ((signedIn: boolean) => void)[] = [];
  const listeners = new Set<() => void>();
  const tabs = new BroadcastChannel('pbxcore-session');
  const open = createClient({ url });

  function show(next: SessionView): void {
    if (next.state === view.state && next.login === view.login) return;
    view = next;
    for (const listener of listeners) listener();
    if (next.state === 'in' || next.state === 'out') {
      const asked = waiting;
      waiting = [];
      for (const answer of asked) answer(next.state === 'in');
    }
  }

  function begin(data: { accessToken: string; login: string }): void {
    token = data.accessToken;
    localStorage.setItem(HINT, 'yes');
    show({ state: 'in', login: data.login });
  }

  function end(): void {
    token = undefined;
    localStorage.removeItem(HINT);
    show({ state: 'out', login: '' });
  }

  /** One question for all who need a token; `false` when the cookie no longer counts. */
  function renew(): Promise<boolean> {
    renewal ??= open.auth
      .refresh({})
      .then(({ data }) => {
        begin(data);
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return false;
        throw error;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  /** Until the person has signed in again, or left. */
  const signedInAgain = () => new Promise<boolean>((resolve) => waiting.push(resolve));

  tabs.onmessage = ({ data }: MessageEvent<'in' | 'out'>) => {
    if (data === 'out') end();
    else if (view.state !== 'in') void renew().catch(() => {});
  };

  return {
    view: () => view,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    token: () => token,
    renew,

    /** At the start: goes on with the session of an earlier visit, if there is one. */
    async start(): Promise<void> {
      if (localStorage.getItem(HINT) === null || !(await renew())) end();
    },

    async login(login: string, password: string, rememberMe: boolean): Promise<void> {
      const { data } = await open.auth.login({ login, password, rememberMe });
      begin(data);
      tabs.postMessage('in');
    },

    async logout(): Promise<void> {
      await createClient({ url, credential: token ?? '' })
        .auth.logout()
        .catch(() => {});
      end();
      tabs.postMessage('out');
    },

    /** A request with the token; one that has run out is renewed, and an ended session asks for the password first. */
    fetch: async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
      const once = () => {
        const headers = new Headers(init.headers);
        if (token) headers.set('authorization', `Bearer ${token}`);
        return fetch(input, { ...init, headers });
      };
      let response = await once();
      while (response.status === 401) {
        if (!(await renew())) {
          token = undefined;
          show({ state: 'expired', login: view.login });
          if (!(await signedInAgain())) return response;
        }
        response = await once();
      }
      return response;
    },
  };
}

export type Session = ReturnType<typeof createSession>;
