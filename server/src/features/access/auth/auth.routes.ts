import Type from 'typebox';
import { enveloped } from '../../../http/answer.ts';
import type { SessionCaller } from '../../../http/caller.ts';
import { boolean, described, optional, text, withDefault } from '../../../http/fields.ts';
import { publicAccess, type Route, route, sessionOnly } from '../../../http/route.ts';
import { ACCESS_SECONDS } from './access-tokens.ts';
import { type AccessToken, type Auth, REFRESH_SECONDS } from './auth.service.ts';

const secretText = text({ min: 1, max: 1024, untrimmed: true });
const Token = Type.Object(
  {
    accessToken: Type.String(),
    tokenType: Type.Enum(['Bearer']),
    expiresIn: Type.Integer(),
    login: Type.String(),
    passwordIsGenerated: Type.Boolean({
      description: 'The password is still the one generated on the first start',
    }),
  },
  { $id: 'AccessToken' },
);

const GROUP = {
  label: 'Login',
  description: 'Sessions of people: a short-lived access token and a cookie to renew it',
};

export function authRoutes({ auth }: { auth: Auth }): Route[] {
  return [
    route({
      method: 'POST',
      path: '/auth:login',
      function: 'login',
      access: publicAccess,
      group: GROUP,
      summary: 'Log in; the refresh token is set as a cookie',
      body: {
        login: text({ min: 1, max: 255 }),
        password: secretText,
        rememberMe: described(withDefault(boolean, false), 'Keep the session after the browser is closed'),
      },
      accepts: { form: true },
      answer: Token,
      errors: [401, 429],
      async handle({ body: { login, password, rememberMe }, address, signal, secure }) {
        const { refreshToken, ...token } = await auth.login({ login, password, address, signal });
        const cookie = refreshCookie(refreshToken, secure, rememberMe ? REFRESH_SECONDS : undefined);
        return enveloped(tokenView(token), { headers: { 'set-cookie': cookie } });
      },
    }),
    route({
      method: 'POST',
      path: '/auth:refresh',
      function: 'refresh',
      access: publicAccess,
      group: GROUP,
      summary: 'Get a new access token with the refresh token from the cookie or the body',
      body: {
        refreshToken: described(
          optional(text({ max: 255 })),
          'Refresh token, for clients that do not send the cookie',
        ),
      },
      accepts: { form: true },
      answer: Type.Object({ ...Token.properties, homePage: Type.String() }),
      errors: [401, 429],
      async handle({ body, headers, address }) {
        const token = await auth.refresh(body.refreshToken || refreshTokenOf(headers.cookie), address);
        return { ...tokenView(token), homePage: '/' };
      },
    }),
    route({
      method: 'POST',
      path: '/auth:logout',
      function: 'logout',
      access: sessionOnly,
      group: GROUP,
      summary: 'Log out; the access token and its refresh token stop working at once',
      answer: Type.Object({ message: Type.String() }),
      async handle({ caller, headers, secure }) {
        await auth.logout(caller as SessionCaller, refreshTokenOf(headers.cookie));
        return enveloped(
          { message: 'logged out' },
          { headers: { 'set-cookie': refreshCookie('', secure, 0) } },
        );
      },
    }),
    route({
      method: 'POST',
      path: '/auth:changePassword',
      function: 'changePassword',
      access: sessionOnly,
      group: GROUP,
      summary: 'Change your own password; all other tokens of the account stop working',
      body: { currentPassword: secretText, newPassword: text({ min: 12, max: 128, untrimmed: true }) },
      answer: Type.Object({}),
      async handle({ caller, body: { currentPassword, newPassword }, address }) {
        await auth.changePassword(caller as SessionCaller, currentPassword, newPassword, address);
        return {};
      },
    }),
  ];
}

const tokenView = ({ accessToken, login, passwordIsGenerated }: AccessToken) => ({
  accessToken,
  tokenType: 'Bearer' as const,
  expiresIn: ACCESS_SECONDS,
  login,
  passwordIsGenerated,
});

function refreshCookie(value: string, secure: boolean, maxAge: number | undefined): string {
  const parts = [`refreshToken=${value}`, 'HttpOnly', 'SameSite=Strict', 'Path=/'];
  if (secure) parts.push('Secure');
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`);
  return parts.join('; ');
}

function refreshTokenOf(header: string | string[] | undefined): string | undefined {
  return /(?:^|;\s*)refreshToken=([0-9a-f]{64})(?:;|$)/.exec(String(header ?? ''))?.[1];
}
