import { type AccessToken, ApiError, createClient } from '@pbxcore/client';

/**
 * The login of this browser (contract 31.5). The access token is kept in memory only; the refresh token is a cookie that no
 * script can read. Every tab takes part: a login or logout in one is seen in the others.
 *
 *   starting ──► out ──► in ──► expired (the cookie no longer counts; what was typed stays) ──► in
 *       └──► unanswered (the service does not say whether there is a session) ──► out or in
 */
type SessionState = 'starting' | 'unanswered' | 'out' | 'in' | 'expired';
export interface SessionView {
  readonly state: SessionState;
  readonly login: string;
  /** It is still the one that the first start made up. */
  readonly passwordIsGenerated: boolean;
}

const NOBODY = { login: '', passwordIsGenerated: false };

/** Tells whether asking for a new token is worth it: the cookie itself cannot be seen. */
const HINT = 'pbxcore.signed-in';
/** The value of the hint when the session outlives the browser. */
const REMEMBERED = 'remembered';
/** Between two questions to a service that does not answer. */
const ASK_AGAIN_MS = 5000;

export function createSession(url: string) {
  let view: SessionView = { state: 'starting', ...NOBODY };
  let token: string | undefined;
  let renewal: Promise<boolean> | undefined;
  let waiting: ((signedIn: boolean) => void)[] = [];
  const listeners = new Set<() => void>();
  const tabs = new BroadcastChannel('pbxcore-session');
  const open = createClient({ url });

  function show(next: SessionView): void {
    const { state, login, passwordIsGenerated } = view;
    if (next.state === state && next.login === login && next.passwordIsGenerated === passwordIsGenerated)
      return;
    view = next;
    for (const listener of listeners) listener();
    if (next.state === 'in' || next.state === 'out') {
      const asked = waiting;
      waiting = [];
      for (const answer of asked) answer(next.state === 'in');
    }
  }

  function begin(data: Omit<AccessToken, 'tokenType'>): void {
    token = data.accessToken;
    if (localStorage.getItem(HINT) === null) localStorage.setItem(HINT, 'yes');
    show({ state: 'in', login: data.login, passwordIsGenerated: data.passwordIsGenerated });
  }

  async function logIn(login: string, password: string, rememberMe: boolean): Promise<void> {
    const { data } = await open.auth.login({ login, password, rememberMe });
    localStorage.setItem(HINT, rememberMe ? REMEMBERED : 'yes');
    begin(data);
    tabs.postMessage('in');
  }

  function end(): void {
    token = undefined;
    localStorage.removeItem(HINT);
    show({ state: 'out', ...NOBODY });
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

  const state = (): SessionState => view.state;

  function expire(): void {
    token = undefined;
    show({ ...view, state: 'expired' });
  }

  async function start(): Promise<void> {
    try {
      if (localStorage.getItem(HINT) === null || !(await renew())) end();
    } catch {
      show({ state: 'unanswered', ...NOBODY });
      setTimeout(() => void start(), ASK_AGAIN_MS);
    }
  }

  /** Until the person has signed in again, or left. */
  const signedInAgain = () => new Promise<boolean>((resolve) => waiting.push(resolve));

  /**
   * A request with the token; one that has run out is renewed, and an ended session asks for the password first. `send` is
   * another way to send it, for whoever wants to see it go.
   */
  async function authorized(
    input: RequestInfo | URL,
    init: RequestInit = {},
    send: typeof fetch = fetch,
  ): Promise<Response> {
    const once = () => {
      const headers = new Headers(init.headers);
      if (token) headers.set('authorization', `Bearer ${token}`);
      return send(input, { ...init, headers });
    };
    const response = await once();
    if (response.status !== 401 || state() === 'out') return response;
    if (state() === 'in') {
      // Once: what is refused with a new token too is no matter of the session.
      if (await renew()) return once();
      if (state() === 'out') return response;
      expire();
    }
    return (await signedInAgain()) ? once() : response;
  }

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
    /** At the start: goes on with the session of an earlier visit, if there is one. */
    start,
    login: logIn,

    /** Ends every other session of the account, and the cookie of this one with them: it is begun anew. */
    async changePassword(currentPassword: string, newPassword: string): Promise<void> {
      const body = { currentPassword, newPassword };
      await createClient({ url, fetch: authorized }).auth.changePassword(body);
      await logIn(view.login, newPassword, localStorage.getItem(HINT) === REMEMBERED).catch(expire);
    },

    /** With a new token: the service would refuse one that has run out, and keep the session. Rejects when it does not end. */
    async logout(): Promise<void> {
      if (await renew()) await createClient({ url, credential: token ?? '' }).auth.logout();
      end();
      tabs.postMessage('out');
    },

    fetch: authorized,
  };
}
