// Asks for a credential, loads the document with it and hands both to Scalar. The credential is held by variables only.
const API = '/pbxcore/api/v3';
const part = (id) => document.getElementById(id);

/** What went wrong, in words for the person at the page. */
class Problem extends Error {}

// Begun at once and not waited for: the form can be filled in meanwhile.
const scalar = new Promise((resolve, reject) => {
  const script = document.createElement('script');
  script.src = '/docs/scalar.js';
  script.onload = () => resolve(window.Scalar);
  script.onerror = () =>
    reject(new Problem('The documentation viewer could not be loaded. Reload the page.'));
  document.head.append(script);
});
scalar.catch(() => {}); // told when the form is sent

for (const radio of document.querySelectorAll('[name=way]')) radio.addEventListener('change', showWay);
showWay(); // a reload keeps the choice
document.querySelector('.field input:enabled').focus();
part('access').addEventListener('submit', async (event) => {
  event.preventDefault();
  part('problem').hidden = true;
  const { submitter } = event;
  submitter.disabled = true;
  try {
    await open(chosenWay() === 'key' ? keyTyped() : await logIn());
  } catch (error) {
    tell(error instanceof Problem ? error.message : 'The documentation could not be shown.');
    if (!(error instanceof Problem)) console.error(error);
  } finally {
    submitter.disabled = false;
  }
});

function chosenWay() {
  return document.querySelector('[name=way]:checked').value;
}

function showWay() {
  for (const way of ['key', 'login']) {
    const chosen = way === chosenWay();
    part(`way-${way}`).hidden = !chosen;
    for (const input of part(`way-${way}`).querySelectorAll('input')) input.disabled = !chosen;
  }
  part('problem').hidden = true;
}

function tell(text) {
  part('problem').textContent = text;
  part('problem').hidden = false;
  const field = part(chosenWay() === 'key' ? 'key' : 'password');
  field.focus();
  field.select();
}

function keyTyped() {
  const token = part('key').value.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Problem('An API key has no spaces and only plain characters.');
  return { token, kind: 'key' };
}

async function logIn() {
  const fields = { login: part('login').value, password: part('password').value };
  const { data } = await call('/auth:login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  return { token: data.accessToken, kind: 'login' };
}

async function open(credential) {
  const headers = { authorization: `Bearer ${credential.token}` };
  const { data: caller } = await call('/system:checkAuth', { headers });
  const [specification, viewer] = await Promise.all([call('/openapi:getSpecification', { headers }), scalar]);
  part('access').reset();
  part('entrance').remove();
  part('bar').hidden = false;
  part('who').textContent =
    caller.authType === 'api_key' ? `with API key ${caller.keyId}` : `logged in as ${caller.login}`;
  part('leave').addEventListener('click', () => leave(credential, headers));
  viewer.createApiReference('#reference', settings(specification, credential));
}

/** The answer's JSON; a `Problem` in the service's own words when it is a refusal. */
async function call(path, options) {
  let response;
  try {
    response = await fetch(API + path, { cache: 'no-store', ...options });
  } catch {
    throw new Problem('The service does not answer.');
  }
  const body = await response.json().catch(() => undefined);
  if (response.ok && body) return body;
  const outcome = response.status < 500 ? 'Not accepted' : 'Not available';
  throw new Problem(
    `${outcome}: ${body?.messages?.error?.join('; ') ?? 'no reason given'} (${response.status})`,
  );
}

async function leave(credential, headers) {
  if (credential.kind === 'login') await call('/auth:logout', { method: 'POST', headers }).catch(() => {});
  location.reload();
}

function settings(specification, { token, kind }) {
  return {
    content: specification,
    servers: [{ url: location.origin, description: 'This service' }],
    authentication: {
      preferredSecurityScheme: 'bearerAuth',
      securitySchemes: {
        bearerAuth: { token },
        ...(kind === 'key' && { apiKeyHeader: { value: token } }),
      },
    },
    persistAuth: false,
    // Nothing may leave for the vendor: no fonts, no counting, no assistant, no buttons that lead there.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'json',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    customCss: `
      :root { --scalar-custom-header-height: 44px; --scalar-font: system-ui, sans-serif; }
      a[href*="scalar.com"] { display: none !important; }
      a[href^="https://developer.mozilla.org"] { pointer-events: none; }
    `,
  };
}
