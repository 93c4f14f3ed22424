// Client of the pbxcore REST interface, without dependencies. Made from openapi/pbxcore.json by `node scripts/client.ts`:
// change the routes, not this file.

const ROOT = '/pbxcore/api/v3';

export interface ClientOptions {
  /** Address of the service, such as `http://127.0.0.1:8080`. */
  url: string;
  /** An API key, or the access token of a login; a function is called before each request. */
  credential?: string | (() => string | undefined);
  /** Replaces the built-in `fetch`, for example to set time limits or use a proxy. */
  fetch?: typeof fetch;
}

/** Thrown for every answer with status 400 or above. */
export class ApiError extends Error {
  readonly status: number;
  readonly messages: Messages;

  constructor(status: number, messages: Messages) {
    super(messages.error.join('; ') || `the service answered ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.messages = messages;
  }
}

/** A successful answer: the requested data is in `data`, warnings and notes for people are in `messages`. */
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
        ...(key && { authorization: `Bearer ${key}` }),
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

export type Client = ReturnType<typeof createClient>;

/** One method per operation, grouped by resource. Answers that are not JSON are returned unread. */
export function createClient(options: ClientOptions) {
  const { request, json } = createSender(options);
  return {
    system: {
      /** Check that the service answers */
      ping: () => json<Envelope<Record<string, unknown>>>('GET', '/system:ping'),
      /** Account or API key behind the credential */
      checkAuth: () =>
        json<Envelope<{ version: string; authType: 'api_key' | 'jwt'; keyId?: string; login?: string }>>(
          'GET',
          '/system:checkAuth',
        ),
      /** Status of the service, its stores and the telephony engine, with the findings of `doctor` */
      getInfo: () => json<Envelope<SystemInfo>>('GET', '/system:getInfo'),
      /** Last lines of the logs, oldest first */
      getLog: (query?: SystemGetLogQuery) => json<Envelope<LogLine[]>>('GET', '/system:getLog', { query }),
      /** Download a backup: database, certificate, modules and sounds */
      backup: () => request('POST', '/system:backup'),
      /** Check that the service sees your real address */
      checkClientIpVisibility: (body?: SystemCheckClientIpVisibilityBody) =>
        json<Envelope<ClientAddress>>('POST', '/system:checkClientIpVisibility', { body }),
    },
    openapi: {
      /** This document */
      getSpecification: () => json<Record<string, unknown>>('GET', '/openapi:getSpecification'),
      /** Permissions that an API key can be granted, with the endpoints of each level */
      getSimplifiedPermissions: () =>
        json<
          Envelope<{
            resources: Record<string, Permission>;
            action_descriptions: { read: string; write: string };
          }>
        >('GET', '/openapi:getSimplifiedPermissions'),
      /** The permission catalogue by category */
      getDetailedPermissions: () =>
        json<
          Envelope<{
            categories: Record<
              string,
              {
                type: string;
                controllers: Record<
                  string,
                  { name: string; label: string; actions: Array<'read' | 'write'> }
                >;
              }
            >;
          }>
        >('GET', '/openapi:getDetailedPermissions'),
    },
    events: {
      /** Follow calls, statuses, bans and changed records */
      follow: (query?: EventsFollowQuery) => request('GET', '/events', { query }),
    },
    auth: {
      /** Log in; the refresh token is set as a cookie */
      login: (body: AuthLoginBody) => json<Envelope<AccessToken>>('POST', '/auth:login', { body }),
      /** Get a new access token with the refresh token from the cookie or the body */
      refresh: (body?: AuthRefreshBody) =>
        json<
          Envelope<{
            accessToken: string;
            tokenType: 'Bearer';
            expiresIn: number;
            login: string;
            /** The password is still the one generated on the first start */
            passwordIsGenerated: boolean;
            homePage: string;
          }>
        >('POST', '/auth:refresh', { body }),
      /** Log out; the access token and its refresh token stop working at once */
      logout: () => json<Envelope<{ message: string }>>('POST', '/auth:logout'),
      /** Change your own password; all other tokens of the account stop working */
      changePassword: (body: AuthChangePasswordBody) =>
        json<Envelope<Record<string, unknown>>>('POST', '/auth:changePassword', { body }),
    },
    apiKeys: {
      /** List the API keys */
      getList: (query?: ApiKeysGetListQuery) =>
        json<Envelope<ApiKeyListItem[]>>('GET', '/api-keys', { query }),
      /** Create an API key; without `key`, one is generated and shown once */
      create: (body: ApiKeysCreateBody) => json<Envelope<CreatedApiKey>>('POST', '/api-keys', { body }),
      /** A new API key with its defaults, not stored */
      getDefault: () =>
        json<
          Envelope<{
            id: string;
            description: string;
            full_permissions: boolean;
            allowed_paths: Record<string, string>;
            networkfilterid: string;
            /** The client whose options were applied; empty: none */
            client:
              | ''
              | 'crowdsec-firewall-bouncer'
              | 'custom'
              | 'nodejs'
              | 'express'
              | 'crowdsec-client'
              | 'lua'
              | 'traefik'
              | 'php'
              | 'haproxy'
              | 'cloudflare'
              | 'mirror'
              | 'pycrowdsec'
              | 'caddy';
            bouncer_options: BouncerOptions;
          }>
        >('GET', '/api-keys:getDefault'),
      /** List the presets for new API keys */
      getPresets: () => json<Envelope<KeyPreset[]>>('GET', '/api-keys:getPresets'),
      /** Generate a random key without storing it */
      generateKey: () => json<Envelope<{ key: string }>>('POST', '/api-keys:generateKey'),
      /** Read an API key */
      getRecord: (id: string | number) => json<Envelope<ApiKey>>('GET', at('/api-keys/{id}', id)),
      /** Replace an API key; the key itself stays unless sent */
      update: (id: string | number, body: ApiKeysUpdateBody) =>
        json<Envelope<ApiKey>>('PUT', at('/api-keys/{id}', id), { body }),
      /** Change the sent fields of an API key */
      patch: (id: string | number, body?: ApiKeysPatchBody) =>
        json<Envelope<ApiKey>>('PATCH', at('/api-keys/{id}', id), { body }),
      /** Revoke an API key; its next request is refused */
      delete: (id: string | number) =>
        json<Envelope<{ deleted_id: string }>>('DELETE', at('/api-keys/{id}', id)),
      /** Configuration snippets for an API key, without the key itself */
      getSnippets: (id: string | number) =>
        json<Envelope<KeySnippet[]>>('GET', at('/api-keys/{id}:getSnippets', id)),
      /** Check whether a request with this key would be admitted, and which check refuses it */
      explain: (id: string | number, query: ApiKeysExplainQuery) =>
        json<Envelope<KeyExplanation>>('GET', at('/api-keys/{id}:explain', id), { query }),
    },
    networkFilters: {
      /** List the network filters */
      getList: (query?: NetworkFiltersGetListQuery) =>
        json<Envelope<{ items: NetworkFilterListItem[]; total: number; offset: number; limit: number }>>(
          'GET',
          '/network-filters',
          { query },
        ),
      /** Network filters as choices for a form */
      getForSelect: (query?: NetworkFiltersGetForSelectQuery) =>
        json<Envelope<NetworkFilterChoice[]>>('GET', '/network-filters:getForSelect', { query }),
      /** Read a network filter */
      getRecord: (id: string | number) =>
        json<Envelope<NetworkFilter>>('GET', at('/network-filters/{id}', id)),
    },
    firewall: {
      /** List the network filters, including entries that cannot be read */
      getList: (query?: FirewallGetListQuery) =>
        json<
          Envelope<{
            items: FirewallRecord[];
            total: number;
            firewallEnabled: boolean;
            fail2banEnabled: boolean;
            invalidEntries: Array<{ source: string; text: string }>;
          }>
        >('GET', '/firewall', { query }),
      /** Create a network filter */
      create: (body: FirewallCreateBody) => json<Envelope<FirewallRecord>>('POST', '/firewall', { body }),
      /** A new network filter with its defaults, not stored */
      getDefault: () => json<Envelope<FirewallRecord>>('GET', '/firewall:getDefault'),
      /** Read a network filter */
      getRecord: (id: string | number) => json<Envelope<FirewallRecord>>('GET', at('/firewall/{id}', id)),
      /** Replace a network filter */
      update: (id: string | number, body: FirewallUpdateBody) =>
        json<Envelope<FirewallRecord>>('PUT', at('/firewall/{id}', id), { body }),
      /** Change the sent fields of a network filter */
      patch: (id: string | number, body?: FirewallPatchBody) =>
        json<Envelope<FirewallRecord>>('PATCH', at('/firewall/{id}', id), { body }),
      /** Delete a network filter that nothing refers to */
      delete: (id: string | number) => json<Envelope<{ id: string }>>('DELETE', at('/firewall/{id}', id)),
      /** Switch the firewall on; the export continues unchanged */
      enable: () => json<Envelope<{ firewallEnabled: boolean }>>('POST', '/firewall:enable'),
      /** Switch the firewall off; the export continues unchanged */
      disable: () => json<Envelope<{ firewallEnabled: boolean }>>('POST', '/firewall:disable'),
      /** Current bans, keyed by address */
      getBannedIps: () =>
        json<
          Envelope<
            Record<
              string,
              {
                country: string;
                countryName: string;
                bans: Array<{
                  jail: string;
                  timeofban: number;
                  timeunban: number;
                  v: string;
                  category: string;
                  permanent: boolean;
                  reason: null | BanReason;
                }>;
              }
            >
          >
        >('GET', '/firewall:getBannedIps'),
      /** Ban an address or range for a time */
      banIp: (body: FirewallBanIpBody) => json<Envelope<BanResult>>('POST', '/firewall:banIp', { body }),
      /** Lift the bans of an address or range */
      unbanIp: (body: FirewallUnbanIpBody) =>
        json<Envelope<UnbanResult>>('POST', '/firewall:unbanIp', { body }),
      /** Explain why an address is blocked, allowed or clear */
      explain: (query: FirewallExplainQuery) =>
        json<Envelope<Explanation>>('GET', '/firewall:explain', { query }),
    },
    fail2ban: {
      /** Read the ban rules */
      getRecord: () => json<Envelope<Fail2BanRules>>('GET', '/fail2ban'),
      /** Change the sent fields of the ban rules */
      update: (body?: Fail2banUpdateBody) => json<Envelope<Fail2BanRules>>('PUT', '/fail2ban', { body }),
      /** Change the sent fields of the ban rules */
      patch: (body?: Fail2banPatchBody) => json<Envelope<Fail2BanRules>>('PATCH', '/fail2ban', { body }),
    },
    firewallBouncer: {
      /** All current bans, and the bans removed since the last poll with this key */
      getDecisionsStream: (query?: FirewallBouncerGetDecisionsStreamQuery) =>
        json<{ new: Decision[]; deleted: Decision[] }>('GET', '/firewall-bouncer/v1/decisions/stream', {
          query,
        }),
      /** Check that a poll would be answered; the cursor stays as it is */
      getDecisionsStreamHead: () => request('HEAD', '/firewall-bouncer/v1/decisions/stream'),
      /** The allow-list; clients subtract it from `new` */
      getWhitelist: () => json<string[]>('GET', '/firewall-bouncer/v1/whitelist'),
      /** Look up decisions by address, range or value; `null` when there are none */
      getDecisions: (query?: FirewallBouncerGetDecisionsQuery) =>
        json<Decision[] | null>('GET', '/firewall-bouncer/v1/decisions', { query }),
      /** Check that the key works */
      getDecisionsHead: () => request('HEAD', '/firewall-bouncer/v1/decisions'),
      /** Store a bouncer’s usage report with its key */
      putUsageMetrics: (body?: FirewallBouncerPutUsageMetricsBody) =>
        request('POST', '/firewall-bouncer/v1/usage-metrics', { body }),
    },
    employees: {
      /** List or search employees */
      getList: (query?: EmployeesGetListQuery) =>
        json<
          Envelope<{
            data: Array<EmployeeListItem | EmployeeFullItem>;
            /** Number of all employees */
            recordsTotal: number;
            /** Number of employees that match */
            recordsFiltered: number;
            /** Only with `deletedSince` */
            deleted?: {
              ids: string[];
              /** Value for the next `deletedSince` */
              cursor: number;
              hasMore: boolean;
            };
          }>
        >('GET', '/employees', { query }),
      /** Create an employee */
      create: (body: EmployeesCreateBody) => json<Envelope<Employee>>('POST', '/employees', { body }),
      /** A new employee with a free number, a random secret and the defaults; not stored */
      getDefault: () => json<Envelope<Employee>>('GET', '/employees:getDefault'),
      /** Read an employee */
      getRecord: (id: string | number) => json<Envelope<Employee>>('GET', at('/employees/{id}', id)),
      /** Replace an employee; an absent field returns to its default, an absent secret is kept */
      update: (id: string | number, body: EmployeesUpdateBody) =>
        json<Envelope<Employee>>('PUT', at('/employees/{id}', id), { body }),
      /** Change the sent fields of an employee */
      patch: (id: string | number, body?: EmployeesPatchBody) =>
        json<Envelope<Employee>>('PATCH', at('/employees/{id}', id), { body }),
      /** Delete an employee; a warning names those who forward to the number */
      delete: (id: string | number, query?: EmployeesDeleteQuery) =>
        json<Envelope<{ deleted_id: string }>>('DELETE', at('/employees/{id}', id), { query }),
      /** Create or validate up to 20 employees; with `mode: "upsert"` create or change up to 100 */
      batchCreate: (body: EmployeesBatchCreateBody) =>
        json<Envelope<EmployeeBatch>>('POST', '/employees:batchCreate', { body }),
      /** Change the sent fields of up to 100 employees */
      batchUpdate: (body: EmployeesBatchUpdateBody) =>
        json<Envelope<EmployeeBatchUpdate>>('POST', '/employees:batchUpdate', { body }),
      /** Delete up to 100 employees; warnings name those who forward to their numbers */
      batchDelete: (body: EmployeesBatchDeleteBody) =>
        json<Envelope<EmployeeBatchDeletion>>('POST', '/employees:batchDelete', { body }),
      /** Employees as a CSV file */
      export: (body?: EmployeesExportBody) => request('POST', '/employees:export', { body }),
      /** Employees as a CSV file; without secrets for callers who may only read */
      exportGet: (query?: EmployeesExportGetQuery) => request('GET', '/employees:export', { query }),
      /** The header of a CSV file and one sample row */
      exportTemplate: (body?: EmployeesExportTemplateBody) =>
        request('POST', '/employees:exportTemplate', { body }),
      /** Preview the import of a CSV file of up to 1000 rows; stores nothing */
      import: (body?: EmployeesImportBody) =>
        json<Envelope<EmployeeImportPreview | EmployeeImport>>('POST', '/employees:import', { body }),
      /** Import the rows of an upload; invalid rows are skipped and reported */
      confirmImport: (body: EmployeesConfirmImportBody) =>
        json<Envelope<EmployeeImport>>('POST', '/employees:confirmImport', { body }),
    },
    sipProviders: {
      /** States of all providers, including disabled ones */
      getStatuses: (query?: SipProvidersGetStatusesQuery) =>
        json<Envelope<ProviderStatuses>>('GET', '/sip-providers:getStatuses', { query }),
      /** State of a provider */
      getStatus: (id: string | number) =>
        json<Envelope<ProviderStatus>>('GET', at('/sip-providers/{id}:getStatus', id)),
      /** Changes of the state of a provider */
      getHistory: (id: string | number, query?: SipProvidersGetHistoryQuery) =>
        json<Envelope<ProviderHistory>>('GET', at('/sip-providers/{id}:getHistory', id), { query }),
      /** Availability and states of a provider over the last 30 days */
      getStats: (id: string | number) =>
        json<Envelope<ProviderStatistics>>('GET', at('/sip-providers/{id}:getStats', id)),
      /** List the providers */
      getList: (query?: SipProvidersGetListQuery) =>
        json<Envelope<SipProviderListItem[]>>('GET', '/sip-providers', { query }),
      /** Create a provider */
      create: (body: SipProvidersCreateBody) =>
        json<Envelope<SipProvider>>('POST', '/sip-providers', { body }),
      /** Read a provider */
      getRecord: (id: string | number) => json<Envelope<SipProvider>>('GET', at('/sip-providers/{id}', id)),
      /** Replace a provider; an absent field returns to its default, an absent secret is kept */
      update: (id: string | number, body: SipProvidersUpdateBody) =>
        json<Envelope<SipProvider>>('PUT', at('/sip-providers/{id}', id), { body }),
      /** Change the sent fields of a provider */
      patch: (id: string | number, body?: SipProvidersPatchBody) =>
        json<Envelope<SipProvider>>('PATCH', at('/sip-providers/{id}', id), { body }),
      /** Delete a provider; 409 while a route needs it */
      delete: (id: string | number) =>
        json<Envelope<{ deleted_id: string }>>('DELETE', at('/sip-providers/{id}', id)),
      /** Enable or disable a provider */
      updateStatus: (id: string | number, body: SipProvidersUpdateStatusBody) =>
        json<Envelope<ProviderSwitch>>('POST', at('/sip-providers/{id}:updateStatus', id), { body }),
      /** Check the state of a provider now */
      forceCheck: (id: string | number) =>
        json<Envelope<ProviderStatus>>('POST', at('/sip-providers/{id}:forceCheck', id)),
      /** A new provider with its defaults, not stored */
      getDefault: () => json<Envelope<SipProvider>>('GET', '/sip-providers:getDefault'),
      /** A copy of a provider, without its secret, not stored */
      copy: (id: string | number) => json<Envelope<SipProvider>>('GET', at('/sip-providers/{id}:copy', id)),
    },
    providers: {
      /** States of all providers, including disabled ones */
      getStatuses: (query?: ProvidersGetStatusesQuery) =>
        json<Envelope<ProviderStatuses>>('GET', '/providers:getStatuses', { query }),
      /** State of a provider */
      getStatus: (id: string | number) =>
        json<Envelope<ProviderStatus>>('GET', at('/providers/{id}:getStatus', id)),
      /** Changes of the state of a provider */
      getHistory: (id: string | number, query?: ProvidersGetHistoryQuery) =>
        json<Envelope<ProviderHistory>>('GET', at('/providers/{id}:getHistory', id), { query }),
      /** Availability and states of a provider over the last 30 days */
      getStats: (id: string | number) =>
        json<Envelope<ProviderStatistics>>('GET', at('/providers/{id}:getStats', id)),
      /** List the providers */
      getList: (query?: ProvidersGetListQuery) =>
        json<Envelope<SipProviderListItem[]>>('GET', '/providers', { query }),
      /** Read a provider */
      getRecord: (id: string | number) => json<Envelope<SipProvider>>('GET', at('/providers/{id}', id)),
      /** Enable or disable a provider */
      updateStatus: (id: string | number, body: ProvidersUpdateStatusBody) =>
        json<Envelope<ProviderSwitch>>('POST', at('/providers/{id}:updateStatus', id), { body }),
      /** Providers as choices for a form */
      getForSelect: (query?: ProvidersGetForSelectQuery) =>
        json<Envelope<ProviderChoice[]>>('GET', '/providers:getForSelect', { query }),
    },
    cdr: {
      /** List calls */
      getList: (query?: CdrGetListQuery) =>
        json<
          Envelope<{
            records: Array<Call | CallLeg>;
            pagination: {
              total: number;
              limit: number;
              offset: number;
              hasMore: boolean;
              /** Highest leg id in this answer; if there is none, the `idFrom` that was sent */
              lastId: number | null;
            };
            /** Only with `deletedSince` */
            deleted?: {
              /** Ids of legs */ legs: number[];
              /** linkedids of calls that have no legs left */
              calls: string[];
              /** Value for the next `deletedSince` */
              cursor: number;
              hasMore: boolean;
            };
          }>
        >('GET', '/cdr', { query }),
      /** Export calls as CSV (a row per leg) or NDJSON (a call per line) */
      export: (query?: CdrExportQuery) => request('GET', '/cdr:export', { query }),
      /** First and last date of the newest records */
      getMetadata: (query?: CdrGetMetadataQuery) =>
        json<
          Envelope<{
            earliestDate: string | null;
            latestDate: string | null;
            hasRecords: boolean;
            sampleSize: number;
          }>
        >('GET', '/cdr:getMetadata', { query }),
      /** Count calls by hour or day and by how they ended */
      getStats: (query: CdrGetStatsQuery) => json<Envelope<CallCounts[]>>('GET', '/cdr:getStats', { query }),
      /** Count calls by provider and direction */
      getStatsByProvider: (query: CdrGetStatsByProviderQuery) =>
        json<Envelope<ProviderTotals[]>>('GET', '/cdr:getStatsByProvider', { query }),
      /** Play a recording */
      playback: (query: CdrPlaybackQuery) => request('GET', '/cdr:playback', { query }),
      /** Play a recording */
      playbackHead: (query: CdrPlaybackHeadQuery) => request('HEAD', '/cdr:playback', { query }),
      /** Download a recording */
      download: (query: CdrDownloadQuery) => request('GET', '/cdr:download', { query }),
      /** Download a recording */
      downloadHead: (query: CdrDownloadHeadQuery) => request('HEAD', '/cdr:download', { query }),
      /** Read a leg or a call */
      getRecord: (id: string | number) => json<Envelope<CallLeg | Call>>('GET', at('/cdr/{id}', id)),
      /** Delete a leg, or a call with all its legs */
      delete: (id: string | number, body?: CdrDeleteBody, query?: CdrDeleteQuery) =>
        json<
          Envelope<{
            /** The id that was sent */ id: string;
            linkedid: string;
            recordingDeleted: boolean;
            /** Number of further legs of the call that were deleted */
            linkedRecordsDeleted: number;
          }>
        >('DELETE', at('/cdr/{id}', id), { body, query }),
    },
    sip: {
      /** Reachability of the employees, by extension number */
      getStatuses: (query?: SipGetStatusesQuery) =>
        json<Envelope<Record<string, ExtensionStatus> | Record<string, ShortExtensionStatus>>>(
          'GET',
          '/sip:getStatuses',
          { query },
        ),
      /** Reachability of an employee */
      getStatus: (id: string | number) =>
        json<Envelope<ExtensionStatus>>('GET', at('/sip/{id}:getStatus', id)),
      /** Check the reachability of an employee now */
      forceCheck: (id: string | number) =>
        json<Envelope<ExtensionStatus>>('POST', at('/sip/{id}:forceCheck', id)),
      /** Phones of employees and providers, in one list */
      getPeersStatuses: () => json<Envelope<SipPeer[]>>('GET', '/sip:getPeersStatuses'),
      /** Registrations with providers */
      getRegistry: () => json<Envelope<SipRegistration[]>>('GET', '/sip:getRegistry'),
      /** Address and port of each transport that phones register with */
      getConnection: () => json<Envelope<SipConnection>>('GET', '/sip:getConnection'),
    },
    pbxStatus: {
      /** Calls under way, by start time */
      getActiveCalls: () => json<Envelope<ActiveCall[]>>('GET', '/pbx-status:getActiveCalls'),
      /** Legs of the calls under way, by start time */
      getActiveChannels: () => json<Envelope<ActiveChannel[]>>('GET', '/pbx-status:getActiveChannels'),
    },
    extensions: {
      /** List everything that can be dialled */
      getList: (query?: ExtensionsGetListQuery) =>
        json<Envelope<Extension[]>>('GET', '/extensions', { query }),
      /** Numbers as choices for a form */
      getForSelect: (query?: ExtensionsGetForSelectQuery) =>
        json<Envelope<ExtensionChoice[]>>('GET', '/extensions:getForSelect', { query }),
      /** Check whether a number is free, and if not, who has it */
      available: (body: ExtensionsAvailableBody) =>
        json<
          Envelope<{
            available: boolean;
            /** Id of the employee who has it */
            userId?: string;
            represent?: string;
            type?: string;
            recordId?: string;
            reason?: 'taken' | 'emergency' | 'feature';
          }>
        >('POST', '/extensions:available', { body }),
      /** Names for numbers */
      getPhonesRepresent: (body: ExtensionsGetPhonesRepresentBody) =>
        json<Envelope<Record<string, { number: string; represent: string }>>>(
          'POST',
          '/extensions:getPhonesRepresent',
          { body },
        ),
      /** Names for a comma-separated list of numbers */
      getPhonesRepresentGet: (query: ExtensionsGetPhonesRepresentGetQuery) =>
        json<Envelope<Record<string, { number: string; represent: string }>>>(
          'GET',
          '/extensions:getPhonesRepresent',
          { query },
        ),
      /** Read a number, with everything that refers to it */
      getRecord: (id: string | number) => json<Envelope<ExtensionRecord>>('GET', at('/extensions/{id}', id)),
      /** The name for a number */
      getPhoneRepresent: (id: string | number) =>
        json<Envelope<string[]>>('GET', at('/extensions/{id}:getPhoneRepresent', id)),
      /** The name for a number */
      getPhoneRepresentPost: (id: string | number) =>
        json<Envelope<string[]>>('POST', at('/extensions/{id}:getPhoneRepresent', id)),
    },
    soundFiles: {
      /** List or search sound files */
      getList: (query?: SoundFilesGetListQuery) =>
        json<
          Envelope<
            Array<{
              id: string;
              name: string;
              description: string;
              category: 'custom' | 'moh';
              normalize: boolean;
              /** Empty if there is no audio */
              path: string;
              /** Size of the original in bytes */
              fileSize: number;
              /** MM:SS */
              duration: string;
              seconds: number;
              /** URL of the audio, valid for an hour without a credential */
              playback_url: string | null;
              /** URL of the original audio */
              download_url: string | null;
              /** ISO 8601 */
              uploadedAt: string | null;
              usedBy: Array<{ kind: string; id: string; name: string; field: string }>;
            }>
          >
        >('GET', '/sound-files', { query }),
      /** Create a sound file */
      create: (body: SoundFilesCreateBody) =>
        json<
          Envelope<{
            id: string;
            name: string;
            description: string;
            category: 'custom' | 'moh';
            normalize: boolean;
            /** Empty if there is no audio */
            path: string;
            /** Size of the original in bytes */
            fileSize: number;
            /** MM:SS */
            duration: string;
            seconds: number;
            /** URL of the audio, valid for an hour without a credential */
            playback_url: string | null;
            /** URL of the original audio */
            download_url: string | null;
            /** ISO 8601 */
            uploadedAt: string | null;
            usedBy: Array<{ kind: string; id: string; name: string; field: string }>;
          }>
        >('POST', '/sound-files', { body }),
      /** A new sound file with the defaults, not stored */
      getDefault: () =>
        json<
          Envelope<{
            id: string;
            name: string;
            description: string;
            category: 'custom' | 'moh';
            normalize: boolean;
            /** Empty if there is no audio */
            path: string;
            /** Size of the original in bytes */
            fileSize: number;
            /** MM:SS */
            duration: string;
            seconds: number;
            /** URL of the audio, valid for an hour without a credential */
            playback_url: string | null;
            /** URL of the original audio */
            download_url: string | null;
            /** ISO 8601 */
            uploadedAt: string | null;
            usedBy: Array<{ kind: string; id: string; name: string; field: string }>;
          }>
        >('GET', '/sound-files:getDefault'),
      /** Read a sound file */
      getRecord: (id: string | number) =>
        json<
          Envelope<{
            id: string;
            name: string;
            description: string;
            category: 'custom' | 'moh';
            normalize: boolean;
            /** Empty if there is no audio */
            path: string;
            /** Size of the original in bytes */
            fileSize: number;
            /** MM:SS */
            duration: string;
            seconds: number;
            /** URL of the audio, valid for an hour without a credential */
            playback_url: string | null;
            /** URL of the original audio */
            download_url: string | null;
            /** ISO 8601 */
            uploadedAt: string | null;
            usedBy: Array<{ kind: string; id: string; name: string; field: string }>;
          }>
        >('GET', at('/sound-files/{id}', id)),
      /** Replace a sound file; an absent field returns to its default */
      update: (id: string | number, body: SoundFilesUpdateBody) =>
        json<
          Envelope<{
            id: string;
            name: string;
            description: string;
            category: 'custom' | 'moh';
            normalize: boolean;
            /** Empty if there is no audio */
            path: string;
            /** Size of the original in bytes */
            fileSize: number;
            /** MM:SS */
            duration: string;
            seconds: number;
            /** URL of the audio, valid for an hour without a credential */
            playback_url: string | null;
            /** URL of the original audio */
            download_url: string | null;
            /** ISO 8601 */
            uploadedAt: string | null;
            usedBy: Array<{ kind: string; id: string; name: string; field: string }>;
          }>
        >('PUT', at('/sound-files/{id}', id), { body }),
      /** Change the sent fields of a sound file */
      patch: (id: string | number, body?: SoundFilesPatchBody) =>
        json<
          Envelope<{
            id: string;
            name: string;
            description: string;
            category: 'custom' | 'moh';
            normalize: boolean;
            /** Empty if there is no audio */
            path: string;
            /** Size of the original in bytes */
            fileSize: number;
            /** MM:SS */
            duration: string;
            seconds: number;
            /** URL of the audio, valid for an hour without a credential */
            playback_url: string | null;
            /** URL of the original audio */
            download_url: string | null;
            /** ISO 8601 */
            uploadedAt: string | null;
            usedBy: Array<{ kind: string; id: string; name: string; field: string }>;
          }>
        >('PATCH', at('/sound-files/{id}', id), { body }),
      /** Delete a sound file; 409 while it is used */
      delete: (id: string | number) =>
        json<Envelope<{ deleted_id: string }>>('DELETE', at('/sound-files/{id}', id)),
      /** Sounds to choose from, by name */
      getForSelect: (query?: SoundFilesGetForSelectQuery) =>
        json<
          Envelope<
            Array<{
              value: string;
              text: string;
              name: string;
              id: string;
              category: string;
              path: string;
              represent: string;
            }>
          >
        >('GET', '/sound-files:getForSelect', { query }),
      /** Upload audio for a new or an existing sound */
      uploadFile: (query?: SoundFilesUploadFileQuery) =>
        json<
          Envelope<{
            id: string;
            name: string;
            description: string;
            category: 'custom' | 'moh';
            normalize: boolean;
            /** Empty if there is no audio */
            path: string;
            /** Size of the original in bytes */
            fileSize: number;
            /** MM:SS */
            duration: string;
            seconds: number;
            /** URL of the audio, valid for an hour without a credential */
            playback_url: string | null;
            /** URL of the original audio */
            download_url: string | null;
            /** ISO 8601 */
            uploadedAt: string | null;
            usedBy: Array<{ kind: string; id: string; name: string; field: string }>;
            sound_file_id: string;
          }>
        >('POST', '/sound-files:uploadFile', { query }),
      /** Play a sound */
      playback: (query: SoundFilesPlaybackQuery) => request('GET', '/sound-files:playback', { query }),
      /** Play a sound */
      playbackHead: (query: SoundFilesPlaybackHeadQuery) =>
        request('HEAD', '/sound-files:playback', { query }),
      /** Download the original audio of a sound */
      download: (id: string | number) => request('GET', at('/sound-files/{id}:download', id)),
      /** Download the original audio of a sound */
      downloadHead: (id: string | number) => request('HEAD', at('/sound-files/{id}:download', id)),
    },
    outboundRoutes: {
      /** Test a number: what would be dialled, through which provider, and which number would be shown */
      test: (query: OutboundRoutesTestQuery) =>
        json<Envelope<OutboundTest>>('GET', '/outbound-routes:test', { query }),
      /** List or search outbound routes */
      getList: (query?: OutboundRoutesGetListQuery) =>
        json<Envelope<OutboundRouteListItem[]>>('GET', '/outbound-routes', { query }),
      /** Create an outbound route */
      create: (body: OutboundRoutesCreateBody) =>
        json<Envelope<OutboundRoute>>('POST', '/outbound-routes', { body }),
      /** A new outbound route with the defaults, not stored */
      getDefault: () => json<Envelope<OutboundRoute>>('GET', '/outbound-routes:getDefault'),
      /** Read an outbound route */
      getRecord: (id: string | number) =>
        json<Envelope<OutboundRoute>>('GET', at('/outbound-routes/{id}', id)),
      /** Replace an outbound route; an absent field returns to its default */
      update: (id: string | number, body: OutboundRoutesUpdateBody) =>
        json<Envelope<OutboundRoute>>('PUT', at('/outbound-routes/{id}', id), { body }),
      /** Change the sent fields of an outbound route */
      patch: (id: string | number, body?: OutboundRoutesPatchBody) =>
        json<Envelope<OutboundRoute>>('PATCH', at('/outbound-routes/{id}', id), { body }),
      /** Delete an outbound route; 409 while it is used */
      delete: (id: string | number) =>
        json<Envelope<{ deleted_id: string }>>('DELETE', at('/outbound-routes/{id}', id)),
      /** A copy of an outbound route, not stored */
      copy: (id: string | number) =>
        json<Envelope<OutboundRoute>>('GET', at('/outbound-routes/{id}:copy', id)),
      /** Store a copy of an outbound route */
      copyPost: (id: string | number) =>
        json<Envelope<OutboundRoute>>('POST', at('/outbound-routes/{id}:copy', id)),
      /** Set the priorities of several outbound routes in one step */
      changePriority: (body?: OutboundRoutesChangePriorityBody) =>
        json<Envelope<{ updated: number; message: string }>>('POST', '/outbound-routes:changePriority', {
          body,
        }),
    },
    incomingRoutes: {
      /** List or search incoming routes */
      getList: (query?: IncomingRoutesGetListQuery) =>
        json<Envelope<IncomingRouteListItem[]>>('GET', '/incoming-routes', { query }),
      /** Create an incoming route */
      create: (body: IncomingRoutesCreateBody) =>
        json<Envelope<IncomingRoute>>('POST', '/incoming-routes', { body }),
      /** A new incoming route with the defaults, not stored */
      getDefault: () => json<Envelope<IncomingRoute>>('GET', '/incoming-routes:getDefault'),
      /** Read an incoming route */
      getRecord: (id: string | number) =>
        json<Envelope<IncomingRoute>>('GET', at('/incoming-routes/{id}', id)),
      /** Replace an incoming route; an absent field returns to its default */
      update: (id: string | number, body: IncomingRoutesUpdateBody) =>
        json<Envelope<IncomingRoute>>('PUT', at('/incoming-routes/{id}', id), { body }),
      /** Change the sent fields of an incoming route */
      patch: (id: string | number, body?: IncomingRoutesPatchBody) =>
        json<Envelope<IncomingRoute>>('PATCH', at('/incoming-routes/{id}', id), { body }),
      /** Delete an incoming route; 409 while it is used */
      delete: (id: string | number) =>
        json<Envelope<{ deleted_id: string }>>('DELETE', at('/incoming-routes/{id}', id)),
      /** A copy of an incoming route, not stored */
      copy: (id: string | number) =>
        json<Envelope<IncomingRoute>>('GET', at('/incoming-routes/{id}:copy', id)),
      /** Store a copy of an incoming route */
      copyPost: (id: string | number) =>
        json<Envelope<IncomingRoute>>('POST', at('/incoming-routes/{id}:copy', id)),
      /** Set the priorities of several incoming routes in one step */
      changePriority: (body?: IncomingRoutesChangePriorityBody) =>
        json<Envelope<{ updated: number; message: string }>>('POST', '/incoming-routes:changePriority', {
          body,
        }),
      /** Default route, for calls that no other route takes */
      getDefaultRoute: () => json<Envelope<IncomingRoute>>('GET', '/incoming-routes:getDefaultRoute'),
      /** Numbers that were called from outside in the last 90 days, latest first */
      getUniqueDIDs: (query?: IncomingRoutesGetUniqueDIDsQuery) =>
        json<Envelope<CalledNumber[]>>('GET', '/incoming-routes:getUniqueDIDs', { query }),
      /** Explain what would happen to a call from outside that nobody answers, without making one */
      explain: (query?: IncomingRoutesExplainQuery) =>
        json<Envelope<ExplainedCall>>('GET', '/incoming-routes:explain', { query }),
    },
    ivrMenu: {
      /** List or search menus */
      getList: (query?: IvrMenuGetListQuery) => json<Envelope<MenuListItem[]>>('GET', '/ivr-menu', { query }),
      /** Create a menu */
      create: (body: IvrMenuCreateBody) => json<Envelope<Menu>>('POST', '/ivr-menu', { body }),
      /** A new menu with the defaults, not stored */
      getDefault: () => json<Envelope<Menu>>('GET', '/ivr-menu:getDefault'),
      /** Read a menu */
      getRecord: (id: string | number) => json<Envelope<Menu>>('GET', at('/ivr-menu/{id}', id)),
      /** Replace a menu; an absent field returns to its default */
      update: (id: string | number, body: IvrMenuUpdateBody) =>
        json<Envelope<Menu>>('PUT', at('/ivr-menu/{id}', id), { body }),
      /** Change the sent fields of a menu */
      patch: (id: string | number, body?: IvrMenuPatchBody) =>
        json<Envelope<Menu>>('PATCH', at('/ivr-menu/{id}', id), { body }),
      /** Delete a menu; 409 while it is used */
      delete: (id: string | number, query?: IvrMenuDeleteQuery) =>
        json<Envelope<{ deleted_id: string }>>('DELETE', at('/ivr-menu/{id}', id), { query }),
      /** A copy of a menu, not stored */
      copy: (id: string | number) => json<Envelope<Menu>>('GET', at('/ivr-menu/{id}:copy', id)),
      /** Store a copy of a menu */
      copyPost: (id: string | number) => json<Envelope<Menu>>('POST', at('/ivr-menu/{id}:copy', id)),
      /** Count what callers did in a menu */
      getStats: (id: string | number, query: IvrMenuGetStatsQuery) =>
        json<Envelope<MenuStats>>('GET', at('/ivr-menu/{id}:getStats', id), { query }),
    },
    callQueues: {
      /** List or search queues */
      getList: (query?: CallQueuesGetListQuery) =>
        json<Envelope<QueueListItem[]>>('GET', '/call-queues', { query }),
      /** Create a queue */
      create: (body: CallQueuesCreateBody) => json<Envelope<Queue>>('POST', '/call-queues', { body }),
      /** A new queue with the defaults, not stored */
      getDefault: () => json<Envelope<Queue>>('GET', '/call-queues:getDefault'),
      /** Read a queue */
      getRecord: (id: string | number) => json<Envelope<Queue>>('GET', at('/call-queues/{id}', id)),
      /** Replace a queue; an absent field returns to its default */
      update: (id: string | number, body: CallQueuesUpdateBody) =>
        json<Envelope<Queue>>('PUT', at('/call-queues/{id}', id), { body }),
      /** Change the sent fields of a queue */
      patch: (id: string | number, body?: CallQueuesPatchBody) =>
        json<Envelope<Queue>>('PATCH', at('/call-queues/{id}', id), { body }),
      /** Delete a queue; 409 while it is used */
      delete: (id: string | number, query?: CallQueuesDeleteQuery) =>
        json<Envelope<{ deleted_id: string }>>('DELETE', at('/call-queues/{id}', id), { query }),
      /** A copy of a queue, not stored */
      copy: (id: string | number) => json<Envelope<Queue>>('GET', at('/call-queues/{id}:copy', id)),
      /** Store a copy of a queue */
      copyPost: (id: string | number) => json<Envelope<Queue>>('POST', at('/call-queues/{id}:copy', id)),
      /** Live status of all queues, by id: callers, members, today's figures */
      getStatuses: () => json<Envelope<Record<string, QueueStatus>>>('GET', '/call-queues:getStatuses'),
      /** Live status of a queue */
      getStatus: (id: string | number) =>
        json<Envelope<QueueStatus>>('GET', at('/call-queues/{id}:getStatus', id)),
      /** Log a member into or out of this queue, or pause the member */
      setMemberState: (id: string | number, body: CallQueuesSetMemberStateBody) =>
        json<Envelope<QueueMember>>('POST', at('/call-queues/{id}:setMemberState', id), { body }),
      /** Log a member into or out of all their queues, or pause the member */
      setMemberStatePost: (body: CallQueuesSetMemberStatePostBody) =>
        json<Envelope<QueueMember[]>>('POST', '/call-queues:setMemberState', { body }),
    },
    offWorkTimes: {
      /** Show whether the line is open or closed, by which rule, and until when */
      getState: (query?: OffWorkTimesGetStateQuery) =>
        json<Envelope<OpeningHoursState>>('GET', '/off-work-times:getState', { query }),
      /** All overrides in force, the latest last: what was opened or closed by hand, and for which routes */
      getOverrides: () => json<Envelope<OpeningHoursOverride[]>>('GET', '/off-work-times:getOverrides'),
      /** Open or close the line by hand, or return to the rules */
      override: (body: OffWorkTimesOverrideBody) =>
        json<Envelope<OpeningHoursState>>('POST', '/off-work-times:override', { body }),
      /** Replace the calendar of a rule with a file (RFC 5545) */
      importCalendar: (id: string | number, body: OffWorkTimesImportCalendarBody) =>
        json<
          Envelope<{
            /** Number of events that count */ events: number;
            /** Start of the first event in force; empty when there is none */
            from: string;
            to: string;
            skipped: Array<{ uid: string; summary: string; reason: string }>;
          }>
        >('POST', at('/off-work-times/{id}:importCalendar', id), { body }),
      /** List the events in force from the calendar of a rule, from today on */
      getCalendar: (id: string | number) =>
        json<Envelope<Array<{ from: string; to: string; allDay: boolean; summary: string }>>>(
          'GET',
          at('/off-work-times/{id}:getCalendar', id),
        ),
      /** List or search off-work rules */
      getList: (query?: OffWorkTimesGetListQuery) =>
        json<Envelope<OffWorkTimeItem[]>>('GET', '/off-work-times', { query }),
      /** Create an off-work rule */
      create: (body?: OffWorkTimesCreateBody) =>
        json<Envelope<OffWorkTime>>('POST', '/off-work-times', { body }),
      /** A new off-work rule with the defaults, not stored */
      getDefault: () => json<Envelope<OffWorkTime>>('GET', '/off-work-times:getDefault'),
      /** Read an off-work rule */
      getRecord: (id: string | number) => json<Envelope<OffWorkTime>>('GET', at('/off-work-times/{id}', id)),
      /** Replace an off-work rule; an absent field returns to its default */
      update: (id: string | number, body?: OffWorkTimesUpdateBody) =>
        json<Envelope<OffWorkTime>>('PUT', at('/off-work-times/{id}', id), { body }),
      /** Change the sent fields of an off-work rule */
      patch: (id: string | number, body?: OffWorkTimesPatchBody) =>
        json<Envelope<OffWorkTime>>('PATCH', at('/off-work-times/{id}', id), { body }),
      /** Delete an off-work rule; 409 while it is used */
      delete: (id: string | number) =>
        json<Envelope<{ deleted_id: string }>>('DELETE', at('/off-work-times/{id}', id)),
      /** A copy of an off-work rule, not stored */
      copy: (id: string | number) => json<Envelope<OffWorkTime>>('GET', at('/off-work-times/{id}:copy', id)),
      /** Store a copy of an off-work rule */
      copyPost: (id: string | number) =>
        json<Envelope<OffWorkTime>>('POST', at('/off-work-times/{id}:copy', id)),
      /** Set the priorities of several off-work rules in one step */
      changePriorities: (body?: OffWorkTimesChangePrioritiesBody) =>
        json<Envelope<{ updated: number; message: string }>>('POST', '/off-work-times:changePriorities', {
          body,
        }),
      /** Set the priorities of several off-work rules in one step */
      changePriority: (body?: OffWorkTimesChangePriorityBody) =>
        json<Envelope<{ updated: number; message: string }>>('POST', '/off-work-times:changePriority', {
          body,
        }),
    },
    modules: {
      /** List the installed modules */
      getList: (query?: ModulesGetListQuery) => json<Envelope<Module[]>>('GET', '/modules', { query }),
      /** Read a module */
      getRecord: (id: string | number) => json<Envelope<Module>>('GET', at('/modules/{id}', id)),
      /** Change settings of a module */
      patch: (id: string | number, body?: ModulesPatchBody) =>
        json<Envelope<Module>>('PATCH', at('/modules/{id}', id), { body }),
      /** Remove a module from this node */
      delete: (id: string | number, query?: ModulesDeleteQuery) =>
        json<Envelope<{ deleted_id: string }>>('DELETE', at('/modules/{id}', id), { query }),
      /** Read a module (same as `GET /modules/{id}`) */
      getModuleInfo: (id: string | number) =>
        json<Envelope<Module>>('GET', at('/modules/{id}:getModuleInfo', id)),
      /** Install a module from a ZIP file */
      install: (query?: ModulesInstallQuery) => json<Envelope<Module>>('POST', '/modules:install', { query }),
      /** Start a module and publish its endpoints */
      enable: (id: string | number, body?: ModulesEnableBody) =>
        json<Envelope<Module>>('POST', at('/modules/{id}:enable', id), { body }),
      /** Disable a module */
      disable: (id: string | number, body?: ModulesDisableBody) =>
        json<Envelope<Module>>('POST', at('/modules/{id}:disable', id), { body }),
      /** Restart an enabled module, after its files have changed */
      restart: (id: string | number) => json<Envelope<Module>>('POST', at('/modules/{id}:restart', id)),
      /** Show what a module would read, change, do and publish, before it is enabled */
      check: (id: string | number) => json<Envelope<ModuleCheck>>('POST', at('/modules/{id}:check', id)),
      /** Calls, errors, restarts, CPU and memory of each module since the service started, on this node */
      getFigures: () => json<Envelope<ModuleFigures[]>>('GET', '/modules:getFigures'),
      /** Last lines logged by or about a module, oldest first */
      getLog: (id: string | number, query?: ModulesGetLogQuery) =>
        json<
          Envelope<
            Array<{
              /** ISO 8601, UTC */ at: string;
              level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
              source: 'service';
              /** Id of the module if the module wrote this line; absent if the exchange wrote it */
              author?: string;
              text: string;
              fields: Record<string, unknown>;
            }>
          >
        >('GET', at('/modules/{id}:getLog', id), { query }),
    },
  };
}

/** Texts for people. Warnings and notes may come with a success too. */
export interface Messages {
  error: string[];
  info: string[];
  warning: string[];
}

export interface Meta {
  timestamp: string;
  /** Time of the last update from the telephony engine */
  asOf?: string;
  /** Time zone of the times in lists of calls, an IANA name */
  timezone?: string;
  /** Period that a list of calls covers; `null`: no limit */
  window?: {
    from: string | null;
    to: string | null;
    /** The default period applies: the last 30 days */
    default: boolean;
  };
}

export interface AccessToken {
  accessToken: string;
  tokenType: 'Bearer';
  expiresIn: number;
  login: string;
  /** The password is still the one generated on the first start */
  passwordIsGenerated: boolean;
}

export interface ActiveCall {
  start: string;
  /** Empty while it rings */
  answer: string;
  src_num: string;
  src_name: string;
  dst_num: string;
  dst_name: string;
  did: string;
  linkedid: string;
  /** Always empty: the call is not over */
  endtime: '';
}

export interface ActiveChannel {
  start: string;
  /** Empty while it rings */
  answer: string;
  src_num: string;
  src_name: string;
  dst_num: string;
  dst_name: string;
  did: string;
  linkedid: string;
  src_chan: string;
  dst_chan: string;
}

export interface ApiKey {
  id: string;
  description: string;
  key_display: string;
  has_key: boolean;
  full_permissions: boolean;
  allowed_paths_count: number;
  has_network_filter: boolean;
  networkfilter_represent: string;
  represent: string;
  created_at: string;
  last_used_at: string;
  /** The client whose options were applied; empty: none */
  client:
    | ''
    | 'crowdsec-firewall-bouncer'
    | 'custom'
    | 'nodejs'
    | 'express'
    | 'crowdsec-client'
    | 'lua'
    | 'traefik'
    | 'php'
    | 'haproxy'
    | 'cloudflare'
    | 'mirror'
    | 'pycrowdsec'
    | 'caddy';
  bouncer_options: BouncerOptions;
  bouncer: null | KeyBouncer;
  networkfilterid: string;
  allowed_paths?: Record<string, string>;
}

export interface ApiKeyListItem {
  id: string;
  description: string;
  key_display: string;
  has_key: boolean;
  full_permissions: boolean;
  allowed_paths_count: number;
  has_network_filter: boolean;
  networkfilter_represent: string;
  represent: string;
  created_at: string;
  last_used_at: string;
  /** The client whose options were applied; empty: none */
  client:
    | ''
    | 'crowdsec-firewall-bouncer'
    | 'custom'
    | 'nodejs'
    | 'express'
    | 'crowdsec-client'
    | 'lua'
    | 'traefik'
    | 'php'
    | 'haproxy'
    | 'cloudflare'
    | 'mirror'
    | 'pycrowdsec'
    | 'caddy';
  bouncer_options: BouncerOptions;
  bouncer: null | KeyBouncer;
}

/** How many bans there are, by category */
export interface BanCounts {
  total: number;
  categories: { sip: number; http: number; ami: number; iax: number };
}

export interface BanEvent {
  /** Address or range */
  value: string;
  category: 'sip' | 'http' | 'ami' | 'iax';
  origin: 'pbx-fail2ban';
  scenario: 'pbx/sip' | 'pbx/http' | 'pbx/ami' | 'pbx/iax';
  /** `added` also when a ban is renewed */
  change: 'added' | 'lifted' | 'expired';
  /** Unix seconds; 0: no end. Once the ban is over, the end that it had */
  expiresAt: number;
  reason?: null | BanReason;
}

/** Why it was banned; null if another program banned it */
export interface BanReason {
  /** Number of failed attempts; 0: banned by hand */
  failures: number;
  /** Accounts used in the failed logins, most frequent first */
  accounts: string[];
  /** Note of the person or program that banned it by hand */
  note: string;
  /** Who banned it by hand: login of a person, `key <id>` or `module <id>` */
  by: string;
}

export interface BanResult {
  ip: string;
  category: string;
  seconds: number;
  /** Unix seconds */
  expiresAt: number;
}

/** A bouncer has polled or become late, or the number of decisions still to be sent to it has changed; at most one event per key per second */
export type BouncerEvent =
  | BouncerPoll
  | {
      id: string;
      /** It no longer exists */
      deleted: true;
    };

export interface BouncerOptions {
  /** `deleted` names no value that `new` still holds */
  deleted_excludes_present: boolean;
  /** One row per value, with the longest ban */
  one_per_address: boolean;
  /** `600s`, `10m0s` or `10m0.5s` */
  duration_format: 'seconds' | 'go' | 'go_fraction';
  /** Leave out decisions that are entirely covered by the whitelist */
  subtract_whitelist: boolean;
}

export type BouncerPoll = {
  /** Id of its API key */ id: string;
} & KeyBouncer;

/** The service ends the stream */
export interface ByeEvent {
  reason: 'stopping' | 'credential' | 'store';
}

export interface Call {
  linkedid: string;
  /** Local time of the exchange, `YYYY-MM-DD HH:MM:SS.mmm`, or empty */
  start: string;
  src_num: string;
  src_name: string;
  /** The DID, if a leg has one */
  dst_num: string;
  dst_name: string;
  did: string;
  /** ANSWERED if any leg was answered, otherwise the disposition of the earliest leg */
  disposition: string;
  /** Seconds of all legs together; if the call reached a menu, queue or message, seconds from the first start to the last end */
  totalDuration: number;
  totalBillsec: number;
  /** Legs of the call, by start time */
  records: CallLeg[];
}

export interface CallCounts {
  /** Local time of the exchange at which the hour or day begins */
  at: string;
  answered: number;
  noAnswer: number;
  busy: number;
  failed: number;
  chanunavail: number;
}

/** A call under way, or one that has just ended */
export interface CallEvent {
  start: string;
  /** Empty while it rings */
  answer: string;
  /** Empty until it is over */
  endtime: string;
  src_num: string;
  src_name: string;
  dst_num: string;
  dst_name: string;
  did: string;
  linkedid: string;
  state: 'ringing' | 'talking' | 'held' | 'ended';
  /** Only when the call is over, if known */
  disposition?: string;
  /** Seconds; only when the call is over */
  totalDuration?: number;
  /** Seconds; only when the call is over */
  totalBillsec?: number;
}

export interface CallLeg {
  /** Name of the recording; empty when the file is missing */
  recordingfile: string;
  /** URL that plays the recording, valid for an hour without a credential */
  playback_url: string;
  download_url: string;
  dtmf_digits: string;
  /** Increases with every leg stored; the position for `idFrom` */
  id: number;
  /** Local time of the exchange, `YYYY-MM-DD HH:MM:SS.mmm`, or empty */
  start: string;
  /** Local time of the exchange, `YYYY-MM-DD HH:MM:SS.mmm`, or empty */
  answer: string;
  /** Local time of the exchange, `YYYY-MM-DD HH:MM:SS.mmm`, or empty */
  endtime: string;
  src_chan: string;
  src_num: string;
  src_name: string;
  dst_chan: string;
  dst_num: string;
  dst_name: string;
  UNIQUEID: string;
  linkedid: string;
  did: string;
  disposition: string;
  from_account: string;
  to_account: string;
  dialstatus: string;
  appname: string;
  transfer: string;
  is_app: string;
  duration: number;
  billsec: number;
  work_completed: string;
  src_call_id: string;
  dst_call_id: string;
  verbose_call_id: string;
  rec_src_channel: string;
}

export interface CalledNumber {
  value: string;
  name: string;
  lastSeen: string;
  calls: number;
}

export interface ClientAddress {
  /** The address that filters, limits and bans use */
  seen: string;
  /** Entries of `X-Forwarded-For` as received, at most 20; used only if sent by a trusted proxy */
  forwardedFor: string[];
  viaTrustedProxy: boolean;
  verdict: 'ip_visible' | 'ip_not_visible' | 'proxy_detected';
  explanation: string;
}

export interface CreatedApiKey {
  id: string;
  description: string;
  key_display: string;
  has_key: boolean;
  full_permissions: boolean;
  allowed_paths_count: number;
  has_network_filter: boolean;
  networkfilter_represent: string;
  represent: string;
  created_at: string;
  last_used_at: string;
  /** The client whose options were applied; empty: none */
  client:
    | ''
    | 'crowdsec-firewall-bouncer'
    | 'custom'
    | 'nodejs'
    | 'express'
    | 'crowdsec-client'
    | 'lua'
    | 'traefik'
    | 'php'
    | 'haproxy'
    | 'cloudflare'
    | 'mirror'
    | 'pycrowdsec'
    | 'caddy';
  bouncer_options: BouncerOptions;
  bouncer: null | KeyBouncer;
  networkfilterid: string;
  allowed_paths?: Record<string, string>;
  /** Shown once, and only if the service generated it */
  key?: string;
  /** Ready-to-use texts that contain the key; shown once, like the key */
  snippets: KeySnippet[];
}

export interface Decision {
  id: number;
  origin: 'pbx-fail2ban' | 'pbx-networkfilters';
  type: 'ban';
  scope: 'Ip' | 'Range';
  /** Address or CIDR */
  value: string;
  /** Remaining time, in the form `600s` or `596h` unless the key has another `duration_format` */
  duration: string;
  scenario: 'pbx/sip' | 'pbx/http' | 'pbx/ami' | 'pbx/iax' | 'pbx/manual';
}

/** Somebody dials an emergency number */
export interface EmergencyCallEvent {
  linkedid: string;
  src_num: string;
  src_name: string;
  /** The emergency number */
  number: string;
  /** Id of the provider that is asked first to carry the call; empty when there is none */
  provider: string;
}

export interface Employee {
  id: string;
  number: string;
  user_username: string;
  user_email: string;
  mobile_number: string;
  mobile_dialstring: string;
  sip_transport: 'udp' | 'tcp' | 'tls' | 'udp,tcp';
  sip_dtmfmode: 'auto' | 'rfc4733' | 'inband' | 'info' | 'auto_info';
  sip_media_encryption: 'none' | 'sdes';
  sip_enableRecording: boolean;
  sip_networkfilterid: string;
  sip_manualattributes: string;
  fwd_ringlength: number;
  fwd_forwarding: string;
  fwd_forwardingonbusy: string;
  fwd_forwardingonunavailable: string;
  outgoing_callerid: string;
  call_class: 'internal' | 'national' | 'international' | 'premium';
  /** XXXXXXXX unless the caller has write access */
  sip_secret: string;
  user_avatar: string;
  sip_networkfilterid_represent: string;
  fwd_forwarding_represent: string;
  fwd_forwardingonbusy_represent: string;
  fwd_forwardingonunavailable_represent: string;
  /** Number of digits of internal numbers, as configured */
  extensions_length: number;
  /** ISO 8601; empty for an employee that is not stored */
  created_at: string;
  /** Time of the last write; use it for `updatedSince` */
  updated_at: string;
}

export interface EmployeeBatch {
  total: number;
  created: number;
  /** Only with mode upsert */
  updated?: number;
  failed: number;
  results: Array<{ index: number; ok: boolean; id: string; errors: string[]; number: string }>;
}

export interface EmployeeBatchDeletion {
  total: number;
  deleted: number;
  failed: number;
  results: Array<{ index: number; ok: boolean; id: string; errors: string[] }>;
}

export interface EmployeeBatchUpdate {
  total: number;
  updated: number;
  failed: number;
  results: Array<{ index: number; ok: boolean; id: string; errors: string[]; number: string }>;
}

export interface EmployeeFullItem {
  id: string;
  number: string;
  user_username: string;
  user_email: string;
  mobile_number: string;
  mobile_dialstring: string;
  sip_transport: 'udp' | 'tcp' | 'tls' | 'udp,tcp';
  sip_dtmfmode: 'auto' | 'rfc4733' | 'inband' | 'info' | 'auto_info';
  sip_media_encryption: 'none' | 'sdes';
  sip_enableRecording: boolean;
  sip_networkfilterid: string;
  sip_manualattributes: string;
  fwd_ringlength: number;
  fwd_forwarding: string;
  fwd_forwardingonbusy: string;
  fwd_forwardingonunavailable: string;
  outgoing_callerid: string;
  call_class: 'internal' | 'national' | 'international' | 'premium';
  user_avatar: string;
  sip_networkfilterid_represent: string;
  fwd_forwarding_represent: string;
  fwd_forwardingonbusy_represent: string;
  fwd_forwardingonunavailable_represent: string;
  /** Number of digits of internal numbers, as configured */
  extensions_length: number;
  /** ISO 8601; empty for an employee that is not stored */
  created_at: string;
  /** Time of the last write; use it for `updatedSince` */
  updated_at: string;
  mobile: string;
  avatar: string;
  disabled: boolean;
}

export interface EmployeeImport {
  total: number;
  imported: number;
  updated: number;
  skipped: number;
  failed: Array<{ line: number; errors: string[] }>;
}

export interface EmployeeImportPreview {
  /** For `employees:confirmImport`: valid once, for 15 minutes, for the same caller */
  upload_id: string;
  strategy: string;
  total: number;
  toCreate: number;
  toUpdate: number;
  toSkip: number;
  toFail: number;
  rows: Array<{
    line: number;
    number: string;
    user_username: string;
    status: 'new' | 'update' | 'duplicate' | 'error';
    errors: string[];
  }>;
}

export interface EmployeeListItem {
  id: string;
  number: string;
  user_username: string;
  user_email: string;
  mobile: string;
  avatar: string;
  disabled: boolean;
}

/** The telephony engine, as `pbxcore engine status` shows it */
export interface EngineEvent {
  state: 'looking' | 'fetching' | 'starting' | 'up' | 'away' | 'none' | 'stopped';
  /** ISO 8601 */
  since?: string;
  version?: string;
  /** It serves the configuration that was stored at this time */
  appliedAt?: string;
  fetch?: { step: string; doneMb: number; totalMb: number | null; seconds: number };
  lastError?: string;
  restarts?: number;
}

/** `data` of the events of `GET /events`, by event name */
export interface EventData {
  call: CallEvent;
  'emergency-call': EmergencyCallEvent;
  extension: ExtensionEvent;
  provider: ProviderEvent;
  ban: BanEvent;
  bans: BanCounts;
  bouncer: BouncerEvent;
  engine: EngineEvent;
  module: ModuleEvent;
  'hours-changed': HoursEvent;
  queue: QueueEvent;
  'queue-joined': QueueJoined;
  'queue-left': QueueLeft;
  'queue-member-changed': QueueMemberChanged;
  record: RecordEvent;
  snapshot: SnapshotEvent;
  gap: GapEvent;
  bye: ByeEvent;
}

export interface ExplainedCall {
  at: string;
  timezone: string;
  provider: string;
  number: string;
  /** The number called, in the form that routes compare */
  normalised: string;
  caller: string;
  steps: ExplainedStep[];
  rings: ExplainedRing[];
  ends: {
    /** Where the call ends, such as `queue 600` */ by: string;
    dialstatus: string;
    /** SIP status sent to the provider; 0 = the call had already been answered */
    sip: number;
  };
  warnings: string[];
}

export interface ExplainedRing {
  number: string;
  name: string;
  /** Seconds since the call arrived */
  from: number;
  to: number;
  /** State of the phone as in `sip:getStatuses`; for a queue member, of the device */
  state: string;
  /** Number of the step that rings it */
  via: number;
}

export interface ExplainedStep {
  /** Counted from 1 */
  n: number;
  kind:
    | 'provider'
    | 'hours'
    | 'override'
    | 'route'
    | 'message'
    | 'did'
    | 'menu'
    | 'queue'
    | 'employee'
    | 'forward'
    | 'mobile'
    | 'outside'
    | 'default'
    | 'loop'
    | 'end';
  id: string;
  name: string;
  /** One plain sentence */
  text: string;
  /** Seconds since the call arrived */
  after: number;
  /** The present state was not taken into account */
  assumed: boolean;
}

export interface Explanation {
  ip: string;
  verdict: 'allowed' | 'blocked' | 'clear';
  /** Verdict of a client that does not subtract the allow-list */
  enforced: 'blocked' | 'clear';
  bans: Array<{
    id: number;
    origin: string;
    type: string;
    scope: string;
    value: string;
    duration: string;
    scenario: string;
    source: { redisKey?: string; networkFilterId?: string };
  }>;
  whitelist: Array<{ entry: string; source: string; networkFilterId?: string }>;
  filters: Array<{ networkFilterId: string; list: 'permit' | 'deny'; entry: string }>;
}

export interface Extension {
  /** The number, repeated */
  id: string;
  number: string;
  type: 'SIP' | 'EXTERNAL' | 'QUEUE' | 'IVR' | 'FEATURE';
  callerid: string;
  /** Id of the employee, queue or menu; empty for a feature code */
  recordId: string;
}

export interface ExtensionChoice {
  name: string;
  text: string;
  value: string;
  /** One of SIP, EXTERNAL, QUEUE, IVR, FEATURE, or WORD */
  type: string;
  typeLocalized: string;
}

/** An entry of `sip:getStatuses`; a change of the round-trip time alone is not reported */
export type ExtensionEvent =
  | ExtensionStatus
  | {
      extension: string;
      /** It no longer exists */
      deleted: true;
    };

export interface ExtensionRecord {
  /** The number, repeated */
  id: string;
  number: string;
  type: 'SIP' | 'EXTERNAL' | 'QUEUE' | 'IVR' | 'FEATURE';
  callerid: string;
  /** Id of the employee, queue or menu; empty for a feature code */
  recordId: string;
  /** Id of the employee, or empty */
  userid: string;
  show_in_phonebook: boolean;
  public_access: boolean;
  /** True for the main number of an employee, false for a mobile number */
  is_general_user_number: boolean;
  /** Every field of a record that refers to the number */
  usedBy: Array<{ kind: string; id: string; name: string; field: string }>;
}

export interface ExtensionStatus {
  extension: string;
  status: 'Available' | 'Unavailable' | 'Unknown';
  callerid: string;
  devices: Array<{
    ip: string;
    port: number;
    user_agent: string;
    /** Round-trip time in milliseconds */
    rtt: number | null;
  }>;
  /** Round-trip time in milliseconds */
  rtt: number | null;
  /** Addresses from which logins as this extension fail, for instance of a phone with an old secret; latest first. An entry is kept until a login from there succeeds or none has been tried for an hour. Absent when there are none. */
  failed_logins?: Array<{
    ip: string;
    since: string;
    /** The secret is correct, but `sip_transport` is `tls` and the phone uses UDP or TCP; otherwise absent */
    reason?: 'without TLS';
  }>;
}

export interface Fail2BanRules {
  maxretry: number;
  bantime: number;
  findtime: number;
  whitelist: string;
  PBXFirewallMaxReqSec: string;
  extensionsCount: number;
}

export interface FirewallRecord {
  id: string;
  network: string;
  subnet: number;
  permit: string;
  deny: string;
  description: string;
  newer_block_ip: boolean;
  local_network: boolean;
  priority: number;
  rules: Record<
    string,
    {
      name: string;
      action: boolean;
      /** Always empty */
      ports: never[];
    }
  >;
  permanent: boolean;
}

/** Events are missing here; snapshots follow */
export interface GapEvent {
  /** `expired`: no longer kept. `overflow`: the client stopped reading. `node`: the log was lost, or the id is from another node */
  reason: 'expired' | 'overflow' | 'node';
}

/** Current override of the opening hours for these routes */
export interface HoursEvent {
  /** State for the first route named; for route 1 if none is named */
  state: 'open' | 'closed';
  /** The rule that applies; empty while open */
  ruleId: string;
  override: { mode: 'open' | 'closed'; until: string; ruleId: string; incomingRouteIds: number[] } | null;
  /** Ids of the routes concerned; empty: all */
  incomingRouteIds: number[];
}

export interface IncomingRoute {
  id: string;
  rulename: string;
  note: string;
  number: string;
  match: 'exact' | 'ends';
  providerid: string;
  callers: string[];
  priority: number;
  timeout: number;
  extension: string;
  audio_message_id: string;
  disabled: boolean;
  did_to_extension: boolean;
  providerid_represent: string;
  provider_type: 'SIP' | '';
  provider_disabled: boolean;
  extension_represent: string;
  audio_message_id_represent: string;
  search_index: string;
}

export interface IncomingRouteListItem {
  id: string;
  rulename: string;
  note: string;
  number: string;
  match: 'exact' | 'ends';
  providerid: string;
  callers: string[];
  priority: number;
  timeout: number;
  extension: string;
  audio_message_id: string;
  disabled: boolean;
  did_to_extension: boolean;
  providerid_represent: string;
  provider_type: 'SIP' | '';
  provider_disabled: boolean;
  extension_represent: string;
  audio_message_id_represent: string;
  search_index: string;
  rule_represent: string;
}

export interface KeyBouncer {
  state: 'never' | 'fresh' | 'late' | 'silent' | 'revoked';
  /** In the time zone of the exchange; empty: never */
  last_poll_at: string;
  last_poll_ip: string;
  user_agent: string;
  interval_seconds: null | number;
  seconds_since: null | number;
  /** While late or silent: time of the last poll. Bans made after it are not enforced there */
  late_since: string;
  told: null | number;
  over: null | number;
  not_yet_told: null | number;
  /** Time of the last usage report; empty: none */
  last_metrics_at: string;
  usage: null | {
    window_seconds: null | number;
    dropped_packets: null | number;
    dropped_bytes: null | number;
    dropped_requests: null | number;
    active_decisions: null | number;
  };
}

export interface KeyExplanation {
  method: string;
  /** The full path that was checked */
  path: string;
  address: string;
  admitted: boolean;
  stoppedBy: null | 'route' | 'credential' | 'networkFilter' | 'level' | 'rate';
  /** Checks in the order that a request goes through them; if there is no such route, the other checks are left out */
  checks: Array<{
    check: 'route' | 'credential' | 'networkFilter' | 'level' | 'rate';
    passed: boolean;
    /** If the check fails: what the refused caller is told */
    explanation: string;
  }>;
}

export interface KeyPreset {
  id: 'bouncer' | 'crm' | 'monitoring' | 'read-only';
  label: string;
  description: string;
  allowed_paths: Record<string, 'read' | 'write'>;
  suggests: {
    /** Such a program runs in one place: bind its key to that address */ networkfilter: boolean;
  };
  /** Ids of the `snippets` returned when a key is created with this preset */
  snippets: Array<
    | 'firewall-bouncer-nftables'
    | 'firewall-bouncer-iptables'
    | 'firewall-bouncer-containers'
    | 'custom-bouncer'
    | 'nginx'
    | 'traefik'
    | 'haproxy'
    | 'php'
    | 'nodejs'
    | 'other'
    | 'curl'
  >;
}

export interface KeySnippet {
  id:
    | 'firewall-bouncer-nftables'
    | 'firewall-bouncer-iptables'
    | 'firewall-bouncer-containers'
    | 'custom-bouncer'
    | 'nginx'
    | 'traefik'
    | 'haproxy'
    | 'php'
    | 'nodejs'
    | 'other'
    | 'curl';
  label: string;
  filename: string;
  /** Contains the key; save it unchanged */
  text: string;
}

export interface LogLine {
  /** ISO 8601, UTC */
  at: string;
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  source: 'service' | 'engine';
  /** Id of the module that wrote this line; absent if the service or the engine wrote it */
  author?: string;
  text: string;
  /** Values logged with the text */
  fields: Record<string, unknown>;
}

export interface Menu {
  id: string;
  name: string;
  description: string;
  extension: string;
  audio_message_id: string;
  timeout: number;
  number_of_repeat: number;
  timeout_extension: string;
  invalid_extension: string;
  invalid_audio_message_id: string;
  timeout_audio_message_id: string;
  allow_enter_any_internal_extension: boolean;
  actions: Array<{
    id: string;
    digits: string;
    extension: string;
    /** Readable text for people */
    extension_represent: string;
  }>;
  /** Readable text for people */
  timeout_extension_represent: string;
  /** Readable text for people */
  invalid_extension_represent: string;
  /** Readable text for people */
  audio_message_id_represent: string;
  /** Readable text for people */
  invalid_audio_message_id_represent: string;
  /** Readable text for people */
  timeout_audio_message_id_represent: string;
  /** Readable text for people */
  represent: string;
  isNew?: string;
}

export interface MenuListItem {
  id: string;
  name: string;
  extension: string;
  description: string;
  timeout: number;
  number_of_repeat: number;
  timeout_extension: string;
  /** Readable text for people */
  timeout_extension_represent: string;
  /** Readable text for people */
  timeoutExtensionRepresent: string;
  actions: Array<{
    digits: string;
    /** Readable text for people */
    represent: string;
  }>;
  /** Readable text for people */
  represent: string;
  search_index: string;
}

export interface MenuStats {
  calls: number;
  /** The current entries of the menu, then former entries that callers chose */
  choices: Array<{ digits: string; calls: number }>;
  /** Callers who dialled an employee */
  direct: number;
  /** Callers who left the menu without pressing a key */
  timeout: number;
  /** Callers who left the menu after wrong entries */
  invalid: number;
  /** Callers who hung up in the menu */
  hungUp: number;
}

export interface Module {
  id: string;
  name: string;
  version: string;
  developer: string;
  description: string;
  disabled: boolean;
  /** Empty, or one of DisabledByUser, DisabledByException, DisabledByCrashLoop */
  disableReason: string;
  disableReasonText: string;
  min_pbx_version: string;
  generation: number;
  /** Endpoints that it publishes now */
  endpoints: Array<{ verb: string; path: string; channels: Array<'localhost' | 'bearer_token' | 'public'> }>;
  /** What it reads on its own account; accepted when it is enabled */
  reads: string[];
  /** Resources of the permission catalogue that it changes; accepted when it is enabled */
  writes: string[];
  /** What it does with calls, accepted like `reads` */
  acts: string[];
  /** What was accepted when it was last enabled; absent if it was never enabled */
  accepted?: {
    reads: string[];
    writes: string[];
    acts: string[];
    /** Endpoints that answer without a key */
    endpoints: Array<{
      verb: string;
      path: string;
      channels: Array<'localhost' | 'bearer_token' | 'public'>;
    }>;
  };
  /** Secrets are masked */
  settings: Record<string, unknown>;
  /** The available settings and their rules */
  settingFields: Record<
    string,
    {
      type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
      description?: string;
      required?: boolean;
      readOnly?: boolean;
      default?: unknown;
      min?: number;
      max?: number;
      pattern?: string;
      enum?: string[];
      multiline?: boolean;
      /** Never shown again */
      secret?: boolean;
    }
  >;
  /** Present only if its folder is missing or unusable */
  broken?: {
    reason: string;
    /** It starts again once its folder is usable */
    enabled: boolean;
  };
}

export interface ModuleCheck {
  id: string;
  version: string;
  reads: string[];
  writes: string[];
  acts: string[];
  /** Endpoints that it would publish */
  endpoints: Array<{ verb: string; path: string; channels: Array<'localhost' | 'bearer_token' | 'public'> }>;
}

export interface ModuleEvent {
  id: string;
  state: 'running' | 'disabled' | 'failed' | 'removed';
  /** Why it does not run; may be empty */
  reason: string;
}

export interface ModuleFigures {
  id: string;
  isUp: boolean;
  /** Calls sent to it since the service started */
  calls: number;
  /** Calls that it answered with 500 or 503 */
  errors: number;
  /** Starts after a crash */
  restarts: number;
  /** Number of actions on phone calls that the exchange carried out for it */
  acts: number;
  /** Null if unknown */
  cpuSeconds: number | null;
  /** Null if unknown */
  memoryBytes: number | null;
}

export interface NetworkFilter {
  id: string;
  permit: string;
  deny: string;
  description: string;
  newer_block_ip: boolean;
  local_network: boolean;
  rules: Record<string, boolean>;
  represent: string;
  search_index: string;
}

export interface NetworkFilterChoice {
  value: string;
  represent: string;
  name: string;
  text: string;
  network?: string;
}

export interface NetworkFilterListItem {
  id: string;
  permit: string;
  description: string;
  represent: string;
  active_rules: string[];
  search_index: string;
}

export interface OffWorkTime {
  id: string;
  /** Same as `description` */
  name: string;
  description: string;
  calType: 'timeframe' | 'ical';
  date_from: string;
  date_to: string;
  weekday_from: '-1' | '1' | '2' | '3' | '4' | '5' | '6' | '7';
  weekday_to: '-1' | '1' | '2' | '3' | '4' | '5' | '6' | '7';
  time_from: string;
  time_to: string;
  timezone: string;
  action: 'extension' | 'playmessage';
  extension: string;
  audio_message_id: string;
  priority: number;
  allowRestriction: boolean;
  incomingRouteIds: number[];
  disabled: boolean;
  extension_represent: string;
  audio_message_id_represent: string;
  /** Always empty */
  allowedExtensions: string[];
  /** Always empty, like `calUser` and `calSecret` */
  calUrl: string;
  calUser: string;
  calSecret: string;
  search_index: string;
  activeNow: boolean;
  /** Local time of the exchange; empty if the rule is not active, or stays active for more than a year */
  activeUntil: string;
}

export interface OffWorkTimeItem {
  id: string;
  /** Same as `description` */
  name: string;
  description: string;
  calType: 'timeframe' | 'ical';
  date_from: string;
  date_to: string;
  /** `Mon` to `Sun`; empty = every day */
  weekday_from: string;
  weekday_to: string;
  time_from: string;
  time_to: string;
  timezone: string;
  action: 'extension' | 'playmessage';
  extension: string;
  /** Name of the sound file */
  audio_message_id: string;
  priority: number;
  allowRestriction: boolean;
  incomingRouteIds: number[];
  disabled: boolean;
  extension_represent: string;
  audio_message_id_represent: string;
  /** Always empty */
  allowedExtensions: string[];
  /** Always empty, like `calUser` and `calSecret` */
  calUrl: string;
  calUser: string;
  calSecret: string;
  search_index: string;
  activeNow: boolean;
  /** Local time of the exchange; empty if the rule is not active, or stays active for more than a year */
  activeUntil: string;
  /** Cut to 45 characters */
  shot_description: string;
  /** When the rule applies, in words */
  calendarPeriods: Array<{ icon: string; text: string; type: string }>;
  /** What happens to a call, in words */
  actionDisplay: string;
}

export interface OpeningHoursOverride {
  /** `auto`: these routes follow the rules, even if an override for all routes says otherwise */
  mode: 'open' | 'closed' | 'auto';
  /** Empty: until somebody ends the override */
  until: string;
  /** Empty: the first rule that covers the route */
  ruleId: string;
  /** Empty: all routes */
  incomingRouteIds: number[];
}

export interface OpeningHoursState {
  state: 'open' | 'closed';
  /** The rule that applies; empty while open */
  ruleId: string;
  ruleName: string;
  /** When the state changes next; empty: not within 370 days */
  until: string;
  override: {
    mode: 'open' | 'closed';
    /** Empty: until somebody ends the override */
    until: string;
    /** Empty: the first rule that covers the route */
    ruleId: string;
    /** Empty: all routes */
    incomingRouteIds: number[];
  } | null;
  timezone: string;
}

export interface OutboundRoute {
  id: string;
  rulename: string;
  note: string;
  providerid: string;
  priority: number;
  numberbeginswith: string;
  restnumbers: number;
  trimfrombegin: number;
  prepend: string;
  callerid: string;
  callerid_forwarded: 'caller' | 'own';
  call_class: 'national' | 'international' | 'premium';
  disabled: boolean;
  /** Readable text for people */
  providerid_represent: string;
  /** `SIP`, or empty when the provider is gone */
  provider_type: string;
  provider_disabled: boolean;
  /** Readable text for people */
  represent: string;
}

export interface OutboundRouteListItem {
  id: string;
  rulename: string;
  note: string;
  providerid: string;
  priority: number;
  numberbeginswith: string;
  restnumbers: number;
  trimfrombegin: number;
  prepend: string;
  callerid: string;
  callerid_forwarded: 'caller' | 'own';
  call_class: 'national' | 'international' | 'premium';
  disabled: boolean;
  /** Readable text for people */
  providerid_represent: string;
  /** `SIP`, or empty when the provider is gone */
  provider_type: string;
  provider_disabled: boolean;
  /** Readable text for people */
  represent: string;
  /** Description of the route in one sentence */
  ruleDescription: string;
}

export interface OutboundTest {
  number: string;
  kind: 'internal' | 'feature' | 'emergency' | 'outside' | 'nobody';
  /** True if somebody would be rung */
  allowed: boolean;
  /** Reason why the call is not allowed; empty when allowed */
  reason: string;
  /** Attempts in order, as if each of them failed */
  attempts: Array<{
    /** Empty: no route is used */ routeId: string;
    rulename: string;
    providerid: string;
    /** Name of the provider */
    provider: string;
    /** State of the provider, as in its status */
    state: string;
    /** Number that the provider is asked to call */
    dials: string;
    /** Number shown; empty: as configured for the provider */
    callerid: string;
    /** Why the attempt is skipped; empty when it is made */
    skipped: '' | 'disabled' | 'not in service' | 'class' | 'nothing left';
  }>;
}

export interface Permission {
  path: string;
  label: string;
  description: string;
  available_actions: Array<'read' | 'write'>;
  endpoints: { read: string[]; write: string[] };
}

export interface ProviderChoice {
  value: string;
  name: string;
  text: string;
  type: 'SIP';
}

/** An entry of `sip-providers:getStatuses`, as it was when the state changed: its duration counts from `stateStartTime` */
export type ProviderEvent =
  | ProviderStatus
  | {
      id: string;
      /** It no longer exists */
      deleted: true;
    };

export interface ProviderHistory {
  /** Id of the provider */
  provider: string;
  /** Newest first */
  events: Array<{
    /** Unix seconds */ timestamp: number;
    state: 'registered' | 'unregistered' | 'rejected' | 'OK' | 'lagged' | 'unreachable' | 'OFF' | 'UNKNOWN';
    previousState:
      | 'registered'
      | 'unregistered'
      | 'rejected'
      | 'OK'
      | 'lagged'
      | 'unreachable'
      | 'OFF'
      | 'UNKNOWN';
  }>;
  count: number;
  limit: number;
}

export interface ProviderStatistics {
  /** Id of the provider */
  provider: string;
  aggregated: {
    /** Share (0..1) of time available, out of the time in which the provider was enabled and its state known; null: there was no such time */
    availability: null | number;
    /** Number of history events in the period */
    changes: number;
    /** Time spent in each state that occurred */
    states: Record<string, { seconds: number; share: number }>;
  };
  /** Always empty */
  daily: never[];
  period: {
    /** Unix seconds */ from: number;
    /** Unix seconds */
    to: number;
  };
}

export interface ProviderStatus {
  id: string;
  type: 'sip';
  state: 'registered' | 'unregistered' | 'rejected' | 'OK' | 'lagged' | 'unreachable' | 'OFF' | 'UNKNOWN';
  stateText: string;
  stateDescription: string;
  stateColor: 'green' | 'yellow' | 'red' | 'grey';
  description: string;
  username: string;
  host: string;
  /** Unix seconds */
  lastUpdate: number;
  /** Unix seconds */
  lastChange: number;
  /** Unix seconds */
  stateStartTime: number;
  /** Seconds */
  stateDuration: number;
  rtt: null | number;
  rejectionReason?: string;
}

export interface ProviderStatuses {
  /** Keyed by provider id */
  sip: Record<string, ProviderStatus>;
  /** Always empty: there are no such providers */
  iax: Record<string, unknown>;
}

export interface ProviderSwitch {
  id: string;
  type: 'SIP';
  disabled: boolean;
  description: string;
}

export interface ProviderTotals {
  provider: string;
  providerName: string;
  direction: 'incoming' | 'outgoing';
  totalCalls: number;
  answeredCalls: number;
  missedCalls: number;
  totalDuration: number;
  totalBillsec: number;
}

export interface Queue {
  id: string;
  name: string;
  description: string;
  extension: string;
  strategy: 'ringall' | 'leastrecent' | 'fewestcalls' | 'random' | 'rrmemory' | 'linear' | 'growing';
  seconds_to_ring_each_member: number;
  seconds_for_wrapup: number;
  recive_calls_while_on_a_call: boolean;
  caller_hear: 'ringing' | 'moh';
  moh_sound_id: string;
  periodic_announce_sound_id: string;
  periodic_announce_frequency: number;
  announce_position: boolean;
  announce_hold_time: boolean;
  timeout_to_redirect_to_extension: number;
  timeout_extension: string;
  redirect_to_extension_if_empty: string;
  max_waiting: number;
  redirect_to_extension_if_full: string;
  seconds_after_reject: number;
  callerid_prefix: string;
  number_unanswered_calls_to_redirect: number;
  redirect_to_extension_if_unanswered: string;
  number_repeat_unanswered_to_redirect: number;
  redirect_to_extension_if_repeat_exceeded: string;
  members: QueueMember[];
  /** Readable text for people */
  timeout_extension_represent: string;
  /** Readable text for people */
  redirect_to_extension_if_empty_represent: string;
  /** Readable text for people */
  redirect_to_extension_if_full_represent: string;
  /** Readable text for people */
  redirect_to_extension_if_unanswered_represent: string;
  /** Readable text for people */
  redirect_to_extension_if_repeat_exceeded_represent: string;
  /** Readable text for people */
  moh_sound_id_represent: string;
  /** Readable text for people */
  periodic_announce_sound_id_represent: string;
  /** Readable text for people */
  represent: string;
  isNew?: string;
}

export type QueueEvent =
  | QueueNow
  | {
      id: string;
      /** It no longer exists */
      deleted: true;
    };

export interface QueueJoined {
  queueId: string;
  /** Number of the queue */
  number: string;
  linkedid: string;
  src_num: string;
  /** Position in the queue, from 1; 0 when the caller no longer waits */
  position: number;
  waiting: number;
}

export interface QueueLeft {
  queueId: string;
  /** Number of the queue */
  number: string;
  linkedid: string;
  src_num: string;
  /** Position in the queue, from 1; 0 when the caller no longer waits */
  position: number;
  waiting: number;
  /** `ANSWER`, `ABANDON`, `TIMEOUT`, `EMPTY`, `FULL` */
  outcome: string;
  /** Seconds */
  wait: number;
  /** Member who took the call; may be empty */
  member: string;
}

export interface QueueListItem {
  id: string;
  name: string;
  extension: string;
  description: string;
  strategy: string;
  members: Array<{
    extension: string;
    /** Readable text for people */
    represent: string;
  }>;
  /** Readable text for people */
  represent: string;
  search_index: string;
}

export interface QueueMember {
  id: string;
  extension: string;
  /** Readable text for people */
  represent: string;
  /** Position of the member, from 0 */
  priority: number;
  state: 'in' | 'out' | 'paused';
  reason: string;
}

export interface QueueMemberChanged {
  queueId: string;
  extension: string;
  state: 'in' | 'out' | 'paused';
  reason: string;
  device: 'free' | 'ringing' | 'inuse' | 'wrapup' | 'unavailable' | 'unknown';
}

/** A queue as on the live board, without values that only change with time */
export interface QueueNow {
  id: string;
  name: string;
  extension: string;
  waiting: number;
  talking: number;
  free: number;
  members: Array<{
    extension: string;
    represent: string;
    state: 'in' | 'out' | 'paused';
    reason: string;
    device: 'free' | 'ringing' | 'inuse' | 'wrapup' | 'unavailable' | 'unknown';
  }>;
  callers: Array<{ linkedid: string; src_num: string; src_name: string; position: number }>;
}

export interface QueueStatus {
  id: string;
  name: string;
  extension: string;
  waiting: number;
  /** Seconds */
  longestWait: number;
  talking: number;
  /** Members who could be rung now */
  free: number;
  members: Array<{
    extension: string;
    /** Readable text for people */
    represent: string;
    state: 'in' | 'out' | 'paused';
    reason: string;
    device: 'free' | 'ringing' | 'inuse' | 'wrapup' | 'unavailable' | 'unknown';
    /** Unix seconds; 0 = never */
    since: number;
    callsToday: number;
    /** Unix seconds; 0 = never */
    lastCall: number;
  }>;
  callers: Array<{
    linkedid: string;
    src_num: string;
    src_name: string;
    position: number;
    /** Seconds */
    wait: number;
  }>;
  today: {
    offered: number;
    answered: number;
    abandoned: number;
    timedOut: number;
    /** Seconds */
    averageWait: number;
    /** Seconds */
    longestWait: number;
  };
}

/** Any copy of this record that a client holds is out of date */
export interface RecordEvent {
  /** As in its URL: `employees`, `module-phone-book/contacts` */
  resource: string;
  /** Empty: several records at once, read the list again */
  id: string;
  change: 'created' | 'changed' | 'deleted';
  /** Login of a person, `key <id>`, `module <id>`, or empty if the change did not come through this interface */
  by: string;
}

export interface ShortExtensionStatus {
  extension: string;
  status: 'Available' | 'Unavailable' | 'Unknown';
}

export interface SipConnection {
  /** Address or name of the exchange */
  host: string;
  /** Further addresses of the same machine */
  otherHosts: string[];
  udp: number;
  tcp: number;
  tls: number;
  /** Why no phone can register now */
  problem: string | null;
}

export interface SipPeer {
  /** Extension number, or id of a provider */
  id: string;
  state: 'OK' | 'UNKNOWN';
  'detailed-state': string;
}

export interface SipProvider {
  /** Empty when the record is not stored */
  id: string;
  type: 'SIP';
  description: string;
  host: string;
  username: string;
  /** `XXXXXXXX` stands for a stored secret: always if `registration_type` is `outbound`, otherwise for callers with level read */
  secret: string;
  registration_type: 'inbound' | 'outbound' | 'none';
  qualify: boolean;
  qualifyfreq: number;
  transport: 'udp' | 'tcp' | 'tls' | 'udp,tcp';
  dtmfmode: 'auto' | 'rfc4733' | 'inband' | 'info' | 'auto_info';
  port: number;
  disabled: boolean;
  note: string;
  networkfilterid: string;
  manualattributes: string;
  fromuser: string;
  fromdomain: string;
  outbound_proxy: string;
  disablefromuser: boolean;
  cid_source: 'default' | 'from' | 'rpid' | 'pai' | 'custom';
  cid_custom_header: string;
  cid_parser_start: string;
  cid_parser_end: string;
  cid_parser_regex: string;
  cid_placement: 'pai' | 'from' | 'rpid';
  did_source: 'default' | 'to' | 'diversion' | 'custom';
  did_custom_header: string;
  did_parser_start: string;
  did_parser_end: string;
  did_parser_regex: string;
  cid_did_debug: boolean;
  additionalHosts: Array<{ id: string; address: string }>;
  networkfilter_represent: string;
}

export interface SipProviderListItem {
  id: string;
  description: string;
  type: 'SIP';
  note: string;
  disabled: boolean;
  /** Label, plain text */
  represent: string;
  username: string;
  host: string;
  port: number;
  registration_type: 'inbound' | 'outbound' | 'none';
  transport: 'udp' | 'tcp' | 'tls' | 'udp,tcp';
  statusClass: '' | 'grey';
  /** Lower-case text to search in */
  search_index: string;
}

export interface SipRegistration {
  id: string;
  /** As in the status of the provider, in upper case */
  state: string;
  host: string;
  username: string;
}

/** The current state of one topic. Only the last snapshot of a set has an id to resume from. */
export type SnapshotEvent =
  | { topic: 'calls'; calls: CallEvent[] }
  | { topic: 'extensions'; extensions: Record<string, ExtensionStatus> }
  | { topic: 'providers'; providers: Record<string, ProviderStatus> }
  | { topic: 'bans'; bans: BanCounts }
  | { topic: 'bouncers'; bouncers: BouncerPoll[] }
  | { topic: 'engine'; engine: EngineEvent }
  | { topic: 'modules'; modules: ModuleEvent[] }
  | { topic: 'hours'; hours: HoursEvent[] }
  | { topic: 'queues'; queues: QueueNow[] }
  | { topic: 'records'; records: Record<string, unknown> };

export interface SystemInfo {
  version: string;
  node: string;
  uptimeSeconds: number;
  startedAt: string;
  stores: Array<{
    name: 'database' | 'expiring keys';
    kind: 'sqlite' | 'postgres' | 'embedded' | 'redis';
    /** It answers and accepts writes */
    reachable: boolean;
    /** `null`: unknown */
    sizeBytes: number | null;
  }>;
  /** As `pbxcore engine status --json` shows it */
  engine: {
    state: 'looking' | 'fetching' | 'starting' | 'up' | 'away' | 'none' | 'stopped' | 'unattended';
    /** When this state began, ISO 8601 */
    since?: string;
    installation?: { kind: string; where: string; version: string; fetchedAt?: string };
    pid?: number;
    /** It was started by an earlier service */
    isAdopted?: boolean;
    /** It serves the configuration that was stored at this time */
    appliedAt?: string;
    fetch?: { step: string; doneMb: number; totalMb: number | null; seconds: number };
    lastError?: string;
    restarts: number;
    /** Downloaded; in use after the next start of the service */
    waiting?: { version: string; fetchedAt: string };
  };
  data: { path: string; freeBytes: number; totalBytes: number };
  clock: { now: string; timezone: string };
  /** What `pbxcore doctor` finds */
  findings: Array<{
    /** The check that reported it; several findings may have the same id */ id: string;
    level: 'ok' | 'warning' | 'problem';
    text: string;
    remedy: string | null;
  }>;
  /** `null` while the database does not answer */
  records: {
    employees: number;
    sipProviders: number;
    calls: number;
    networkFilters: number;
    apiKeys: number;
    moduleRecords: number;
    bans: number;
  } | null;
}

export interface UnbanResult {
  ip: string;
  lifted: string[];
  stillDenied: string[];
}

export interface SystemGetLogQuery {
  /** Maximum number of matching lines; the latest are returned */
  lines?: number | string;
  /** This level and more severe ones */
  level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  /** Only lines whose text or fields contain this, ignoring case */
  contains?: string;
  /** Only lines of this log. Default: both logs */
  source?: 'service' | 'engine';
}

export interface SystemCheckClientIpVisibilityBody {
  /** Your real address, as far as you know it */
  expected?: string;
}

export interface EventsFollowQuery {
  /** Comma-separated list of calls, extensions, providers, bans, bouncers, engine, modules, hours, queues, records; absent: all that the caller may receive */
  topics?: string;
  /** For clients that cannot send the header `Last-Event-ID`, which takes precedence */
  lastEventId?: string;
}

export interface AuthLoginBody {
  login: string;
  password: string;
  /** Keep the session after the browser is closed */
  rememberMe?: boolean;
}

export interface AuthRefreshBody {
  /** Refresh token, for clients that do not send the cookie */
  refreshToken?: string;
}

export interface AuthChangePasswordBody {
  currentPassword: string;
  newPassword: string;
}

export interface ApiKeysGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
}

export interface ApiKeysCreateBody {
  description: string;
  /** A key of your own choice, never shown again; without it, one is generated */
  key?: string;
  /** Allow everything; `allowed_paths` is discarded */
  full_permissions?: boolean;
  /** Level per resource, as an object or as JSON text. Default: the levels of the preset; without a preset, none */
  allowed_paths?: Record<string, 'read' | 'write'> | string;
  /** Where the key may be used from: `none` (anywhere), `localhost`, or the id of a network filter. Default: that of the calling key; `none` for other callers */
  networkfilterid?: string | number;
  /** The client that uses the key to read decisions: sets `bouncer_options` to what this client needs; empty: to the specified defaults */
  client?:
    | ''
    | 'crowdsec-firewall-bouncer'
    | 'custom'
    | 'nodejs'
    | 'express'
    | 'crowdsec-client'
    | 'lua'
    | 'traefik'
    | 'php'
    | 'haproxy'
    | 'cloudflare'
    | 'mirror'
    | 'pycrowdsec'
    | 'caddy';
  /** Format of the decisions for this key; the options sent here override those that `client` sets */
  bouncer_options?: {
    deleted_excludes_present?: boolean;
    one_per_address?: boolean;
    duration_format?: 'seconds' | 'go' | 'go_fraction';
    subtract_whitelist?: boolean;
  };
  /** Purpose of the key: sets `allowed_paths`, unless `allowed_paths` or `full_permissions` is sent */
  preset?: 'bouncer' | 'crm' | 'monitoring' | 'read-only';
}

export interface ApiKeysUpdateBody {
  description: string;
  /** A key of your own choice, never shown again; without it, one is generated */
  key?: string;
  /** Allow everything; `allowed_paths` is discarded */
  full_permissions?: boolean;
  /** Level per resource, as an object or as JSON text */
  allowed_paths?: Record<string, 'read' | 'write'> | string;
  /** Where the key may be used from: `none` (anywhere), `localhost`, or the id of a network filter */
  networkfilterid?: string | number;
  /** The client that uses the key to read decisions: sets `bouncer_options` to what this client needs; empty: to the specified defaults */
  client?:
    | ''
    | 'crowdsec-firewall-bouncer'
    | 'custom'
    | 'nodejs'
    | 'express'
    | 'crowdsec-client'
    | 'lua'
    | 'traefik'
    | 'php'
    | 'haproxy'
    | 'cloudflare'
    | 'mirror'
    | 'pycrowdsec'
    | 'caddy';
  /** Format of the decisions for this key; the options sent here override those that `client` sets */
  bouncer_options?: {
    deleted_excludes_present?: boolean;
    one_per_address?: boolean;
    duration_format?: 'seconds' | 'go' | 'go_fraction';
    subtract_whitelist?: boolean;
  };
}

export interface ApiKeysPatchBody {
  description?: string;
  /** A key of your own choice, never shown again; without it, one is generated */
  key?: string;
  /** Allow everything; `allowed_paths` is discarded */
  full_permissions?: boolean;
  /** Level per resource, as an object or as JSON text */
  allowed_paths?: Record<string, 'read' | 'write'> | string;
  /** Where the key may be used from: `none` (anywhere), `localhost`, or the id of a network filter */
  networkfilterid?: string | number;
  /** The client that uses the key to read decisions: sets `bouncer_options` to what this client needs; empty: to the specified defaults */
  client?:
    | ''
    | 'crowdsec-firewall-bouncer'
    | 'custom'
    | 'nodejs'
    | 'express'
    | 'crowdsec-client'
    | 'lua'
    | 'traefik'
    | 'php'
    | 'haproxy'
    | 'cloudflare'
    | 'mirror'
    | 'pycrowdsec'
    | 'caddy';
  /** Format of the decisions for this key; the options sent here override those that `client` sets */
  bouncer_options?: {
    deleted_excludes_present?: boolean;
    one_per_address?: boolean;
    duration_format?: 'seconds' | 'go' | 'go_fraction';
    subtract_whitelist?: boolean;
  };
}

export interface ApiKeysExplainQuery {
  /** Address that the request would come from. Default: your own */
  address?: string;
  /** Relative (`/employees`) or full path (`/pbxcore/api/v3/employees`) */
  path: string;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
}

export interface NetworkFiltersGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
  search?: string;
}

export interface NetworkFiltersGetForSelectQuery {
  includeLocalhost?: boolean;
}

export interface FirewallGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
}

export interface FirewallCreateBody {
  /** IPv4 or IPv6 address */
  network: string;
  /** Prefix length: 0..32 for IPv4, 0..128 for IPv6 */
  subnet: number | string;
  /** Addresses and CIDRs, separated by comma, semicolon or white space */
  deny?: string;
  description?: string;
  /** Put the network on the allow-list, so that it is never blocked */
  newer_block_ip?: boolean;
  /** This is a local network */
  local_network?: boolean;
  /** Sort value for clients; the service itself does not use it */
  priority?: number | string;
  /** Services open to the network, by name; a service that is not named is open */
  currentRules?: {
    SIP?: boolean | { action: boolean };
    IAX?: boolean | { action: boolean };
    WEB?: boolean | { action: boolean };
    SSH?: boolean | { action: boolean };
    AMI?: boolean | { action: boolean };
    AJAM?: boolean | { action: boolean };
    ICMP?: boolean | { action: boolean };
  };
}

export interface FirewallUpdateBody {
  /** IPv4 or IPv6 address */
  network: string;
  /** Prefix length: 0..32 for IPv4, 0..128 for IPv6 */
  subnet: number | string;
  /** Addresses and CIDRs, separated by comma, semicolon or white space */
  deny?: string;
  description?: string;
  /** Put the network on the allow-list, so that it is never blocked */
  newer_block_ip?: boolean;
  /** This is a local network */
  local_network?: boolean;
  /** Sort value for clients; the service itself does not use it */
  priority?: number | string;
  /** Services open to the network, by name; a service that is not named is open */
  currentRules?: {
    SIP?: boolean | { action: boolean };
    IAX?: boolean | { action: boolean };
    WEB?: boolean | { action: boolean };
    SSH?: boolean | { action: boolean };
    AMI?: boolean | { action: boolean };
    AJAM?: boolean | { action: boolean };
    ICMP?: boolean | { action: boolean };
  };
}

export interface FirewallPatchBody {
  /** IPv4 or IPv6 address */
  network?: string;
  /** Prefix length: 0..32 for IPv4, 0..128 for IPv6 */
  subnet?: number | string;
  /** Addresses and CIDRs, separated by comma, semicolon or white space */
  deny?: string;
  description?: string;
  /** Put the network on the allow-list, so that it is never blocked */
  newer_block_ip?: boolean;
  /** This is a local network */
  local_network?: boolean;
  /** Sort value for clients; the service itself does not use it */
  priority?: number | string;
  /** Services open to the network, by name; a service that is not named is open */
  currentRules?: {
    SIP?: boolean | { action: boolean };
    IAX?: boolean | { action: boolean };
    WEB?: boolean | { action: boolean };
    SSH?: boolean | { action: boolean };
    AMI?: boolean | { action: boolean };
    AJAM?: boolean | { action: boolean };
    ICMP?: boolean | { action: boolean };
  };
}

export interface FirewallBanIpBody {
  /** IPv4 or IPv6 address or CIDR */
  ip: string;
  /** Length of the ban, counted from now */
  seconds: number | string;
  /** Service that was attacked */
  category?: 'sip' | 'http' | 'ami' | 'iax';
  /** Must be true for a range wider than /8 (IPv6: /32); otherwise ignored */
  confirm?: boolean;
  /** Reason, shown in the list of bans */
  note?: string;
}

export interface FirewallUnbanIpBody {
  /** IPv4 or IPv6 address or CIDR */
  ip: string;
  /** Only bans of this category. Default: all */
  category?: 'sip' | 'http' | 'ami' | 'iax';
}

export interface FirewallExplainQuery {
  /** IPv4 or IPv6 address or CIDR */
  ip: string;
}

export interface Fail2banUpdateBody {
  /** Number of failures after which an address is banned */
  maxretry?: number | string;
  /** Length of a ban in seconds */
  bantime?: number | string;
  /** Period in seconds within which failures are counted */
  findtime?: number | string;
  /** Never banned: addresses and CIDRs, separated by white space, comma or semicolon */
  whitelist?: string;
  PBXFirewallMaxReqSec?: string | number;
}

export interface Fail2banPatchBody {
  /** Number of failures after which an address is banned */
  maxretry?: number | string;
  /** Length of a ban in seconds */
  bantime?: number | string;
  /** Period in seconds within which failures are counted */
  findtime?: number | string;
  /** Never banned: addresses and CIDRs, separated by white space, comma or semicolon */
  whitelist?: string;
  PBXFirewallMaxReqSec?: string | number;
}

export interface FirewallBouncerGetDecisionsStreamQuery {
  /** `true`: ignore what this key was sent before */
  startup?: string;
  /** Accepted and ignored */
  scopes?: string;
  /** Accepted and ignored */
  origins?: string;
}

export interface FirewallBouncerGetDecisionsQuery {
  /** Decisions equal to or containing this address */
  ip?: string;
  /** Decisions containing this range */
  range?: string;
  /** `false`: decisions inside `range` instead of around it */
  contains?: string;
  /** Decisions with exactly this value */
  value?: string;
  /** `Ip` or `Range`, in any letter case */
  scope?: string;
  /** Anything but `ban` finds nothing */
  type?: string;
}

export type FirewallBouncerPutUsageMetricsBody = Record<string, unknown>;

export interface EmployeesGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
  /** Only employees created or changed at this time or later; send the `updated_at` of the newest employee you know */
  updatedSince?: string;
  /** `full`: items with all fields except the secret */
  fields?: 'full';
  /** Return the ids of employees deleted after this position, at most 90 days ago, instead of employees. Start with 0, then send `deleted.cursor`. Of the other parameters only `limit` counts */
  deletedSince?: number;
  /** Text contained in name, number, e-mail or mobile number, ignoring case. The prefixes `id:` and `number:` ask for the exact value, `email:` and `mobile:` search only that field */
  search?: string;
  /** Field to sort by; any other value means the name */
  order?: 'number' | 'user_username' | 'username' | 'user_email' | 'email' | 'mobile';
  /** `asc` or `desc`, ignoring case */
  orderWay?: 'asc' | 'desc';
  /** Field to sort by; any other value means the name */
  order_by?: 'number' | 'user_username' | 'username' | 'user_email' | 'email' | 'mobile';
  /** `asc` or `desc`, ignoring case */
  order_direction?: 'asc' | 'desc';
}

export interface EmployeesCreateBody {
  /** Extension number, not used by another employee */
  number: string;
  /** Full name */
  user_username: string;
  /** E-mail address; empty for none */
  user_email?: string;
  /** E.164; empty for none */
  mobile_number?: string;
  /** What to dial for the mobile phone, if that is not its number */
  mobile_dialstring?: string;
  sip_transport?: 'udp' | 'tcp' | 'tls' | 'udp,tcp';
  sip_dtmfmode?: 'auto' | 'rfc4733' | 'inband' | 'info' | 'auto_info';
  /** Encryption of the voice between phone and exchange: `none`, or `sdes` for SRTP only, which needs `sip_transport` `tls` */
  sip_media_encryption?: 'none' | 'sdes';
  sip_enableRecording?: boolean;
  /** Where the phone may register from: `none` (anywhere), or the id of a network filter */
  sip_networkfilterid?: string | number;
  /** Additional parameters of the SIP account; may have several lines */
  sip_manualattributes?: string;
  /** Seconds to ring before a call goes to `fwd_forwarding`: 3..180 if that is set, otherwise 0..180; empty = 0 */
  fwd_ringlength?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  fwd_forwarding?: string | number;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  fwd_forwardingonbusy?: string | number;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  fwd_forwardingonunavailable?: string | number;
  /** Number shown on calls to the outside: digits with or without +, `anonymous`, or empty for the number of the route */
  outgoing_callerid?: string;
  /** Which outside calls this phone may make; each class includes the classes before it */
  call_class?: 'internal' | 'national' | 'international' | 'premium';
  /** Password of the SIP account */
  sip_secret: string;
  /** Ignored: pictures are not stored */
  user_avatar?: unknown;
}

export interface EmployeesUpdateBody {
  /** Extension number, not used by another employee */
  number: string;
  /** Full name */
  user_username: string;
  /** E-mail address; empty for none */
  user_email?: string;
  /** E.164; empty for none */
  mobile_number?: string;
  /** What to dial for the mobile phone, if that is not its number */
  mobile_dialstring?: string;
  sip_transport?: 'udp' | 'tcp' | 'tls' | 'udp,tcp';
  sip_dtmfmode?: 'auto' | 'rfc4733' | 'inband' | 'info' | 'auto_info';
  /** Encryption of the voice between phone and exchange: `none`, or `sdes` for SRTP only, which needs `sip_transport` `tls` */
  sip_media_encryption?: 'none' | 'sdes';
  sip_enableRecording?: boolean;
  /** Where the phone may register from: `none` (anywhere), or the id of a network filter */
  sip_networkfilterid?: string | number;
  /** Additional parameters of the SIP account; may have several lines */
  sip_manualattributes?: string;
  /** Seconds to ring before a call goes to `fwd_forwarding`: 3..180 if that is set, otherwise 0..180; empty = 0 */
  fwd_ringlength?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  fwd_forwarding?: string | number;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  fwd_forwardingonbusy?: string | number;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  fwd_forwardingonunavailable?: string | number;
  /** Number shown on calls to the outside: digits with or without +, `anonymous`, or empty for the number of the route */
  outgoing_callerid?: string;
  /** Which outside calls this phone may make; each class includes the classes before it */
  call_class?: 'internal' | 'national' | 'international' | 'premium';
  /** 5..100 characters; absent, empty or XXXXXXXX keeps the stored one */
  sip_secret?: string;
  /** Ignored: pictures are not stored */
  user_avatar?: unknown;
}

export interface EmployeesPatchBody {
  /** Extension number, not used by another employee */
  number?: string;
  /** Full name */
  user_username?: string;
  /** E-mail address; empty for none */
  user_email?: string;
  /** E.164; empty for none */
  mobile_number?: string;
  /** What to dial for the mobile phone, if that is not its number */
  mobile_dialstring?: string;
  sip_transport?: 'udp' | 'tcp' | 'tls' | 'udp,tcp';
  sip_dtmfmode?: 'auto' | 'rfc4733' | 'inband' | 'info' | 'auto_info';
  /** Encryption of the voice between phone and exchange: `none`, or `sdes` for SRTP only, which needs `sip_transport` `tls` */
  sip_media_encryption?: 'none' | 'sdes';
  sip_enableRecording?: boolean;
  /** Where the phone may register from: `none` (anywhere), or the id of a network filter */
  sip_networkfilterid?: string | number;
  /** Additional parameters of the SIP account; may have several lines */
  sip_manualattributes?: string;
  /** Seconds to ring before a call goes to `fwd_forwarding`: 3..180 if that is set, otherwise 0..180; empty = 0 */
  fwd_ringlength?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  fwd_forwarding?: string | number;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  fwd_forwardingonbusy?: string | number;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  fwd_forwardingonunavailable?: string | number;
  /** Number shown on calls to the outside: digits with or without +, `anonymous`, or empty for the number of the route */
  outgoing_callerid?: string;
  /** Which outside calls this phone may make; each class includes the classes before it */
  call_class?: 'internal' | 'national' | 'international' | 'premium';
  /** 5..100 characters; absent, empty or XXXXXXXX keeps the stored one */
  sip_secret?: string;
  /** Ignored: pictures are not stored */
  user_avatar?: unknown;
}

export interface EmployeesDeleteQuery {
  /** New target for calls that were sent to the deleted record: a number, or one of hangup, busy, did2user, voicemail */
  replaceWith?: string | number;
}

export interface EmployeesBatchCreateBody {
  employees: Array<{
    /** Extension number, not used by another employee */ number: string;
    /** Full name */
    user_username?: string;
    /** E-mail address; empty for none */
    user_email?: string;
    /** E.164; empty for none */
    mobile_number?: string;
    /** What to dial for the mobile phone, if that is not its number */
    mobile_dialstring?: string;
    sip_transport?: 'udp' | 'tcp' | 'tls' | 'udp,tcp';
    sip_dtmfmode?: 'auto' | 'rfc4733' | 'inband' | 'info' | 'auto_info';
    /** Encryption of the voice between phone and exchange: `none`, or `sdes` for SRTP only, which needs `sip_transport` `tls` */
    sip_media_encryption?: 'none' | 'sdes';
    sip_enableRecording?: boolean;
    /** Where the phone may register from: `none` (anywhere), or the id of a network filter */
    sip_networkfilterid?: string | number;
    /** Additional parameters of the SIP account; may have several lines */
    sip_manualattributes?: string;
    /** Seconds to ring before a call goes to `fwd_forwarding`: 3..180 if that is set, otherwise 0..180; empty = 0 */
    fwd_ringlength?: number | string;
    /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
    fwd_forwarding?: string | number;
    /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
    fwd_forwardingonbusy?: string | number;
    /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
    fwd_forwardingonunavailable?: string | number;
    /** Number shown on calls to the outside: digits with or without +, `anonymous`, or empty for the number of the route */
    outgoing_callerid?: string;
    /** Which outside calls this phone may make; each class includes the classes before it */
    call_class?: 'internal' | 'national' | 'international' | 'premium';
    /** Password of the SIP account */
    sip_secret?: string;
    /** Ignored: pictures are not stored */
    user_avatar?: unknown;
  }>;
  mode?: 'create' | 'validate' | 'upsert';
  skip_errors?: boolean;
}

export interface EmployeesBatchUpdateBody {
  employees: Array<{
    id: string | number;
    /** Extension number, not used by another employee */
    number?: string;
    /** Full name */
    user_username?: string;
    /** E-mail address; empty for none */
    user_email?: string;
    /** E.164; empty for none */
    mobile_number?: string;
    /** What to dial for the mobile phone, if that is not its number */
    mobile_dialstring?: string;
    sip_transport?: 'udp' | 'tcp' | 'tls' | 'udp,tcp';
    sip_dtmfmode?: 'auto' | 'rfc4733' | 'inband' | 'info' | 'auto_info';
    /** Encryption of the voice between phone and exchange: `none`, or `sdes` for SRTP only, which needs `sip_transport` `tls` */
    sip_media_encryption?: 'none' | 'sdes';
    sip_enableRecording?: boolean;
    /** Where the phone may register from: `none` (anywhere), or the id of a network filter */
    sip_networkfilterid?: string | number;
    /** Additional parameters of the SIP account; may have several lines */
    sip_manualattributes?: string;
    /** Seconds to ring before a call goes to `fwd_forwarding`: 3..180 if that is set, otherwise 0..180; empty = 0 */
    fwd_ringlength?: number | string;
    /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
    fwd_forwarding?: string | number;
    /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
    fwd_forwardingonbusy?: string | number;
    /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
    fwd_forwardingonunavailable?: string | number;
    /** Number shown on calls to the outside: digits with or without +, `anonymous`, or empty for the number of the route */
    outgoing_callerid?: string;
    /** Which outside calls this phone may make; each class includes the classes before it */
    call_class?: 'internal' | 'national' | 'international' | 'premium';
    /** 5..100 characters; absent, empty or XXXXXXXX keeps the stored one */
    sip_secret?: string;
    /** Ignored: pictures are not stored */
    user_avatar?: unknown;
  }>;
  skip_errors?: boolean;
}

export interface EmployeesBatchDeleteBody {
  ids: Array<string | number>;
  skip_errors?: boolean;
}

export interface EmployeesExportBody {
  format?: 'minimal' | 'standard' | 'full';
  filter?: { number_from?: string | number; number_to?: string | number };
}

export interface EmployeesExportGetQuery {
  format?: 'minimal' | 'standard' | 'full';
  /** Lowest or highest number to export */
  number_from?: string | number;
  /** Lowest or highest number to export */
  number_to?: string | number;
}

export interface EmployeesExportTemplateBody {
  format?: 'minimal' | 'standard' | 'full';
}

export interface EmployeesImportBody {
  /** The content of the file */
  csv?: string;
  /** What to do with a number that already exists; default: the strategy of the upload, else skip_duplicates */
  strategy?: 'skip_duplicates' | 'update_existing' | 'fail_on_duplicate';
  upload_id?: string;
  action?: 'preview' | 'import';
}

export interface EmployeesConfirmImportBody {
  upload_id: string;
  /** What to do with a number that already exists; default: the strategy of the upload, else skip_duplicates */
  strategy?: 'skip_duplicates' | 'update_existing' | 'fail_on_duplicate';
}

export interface SipProvidersGetStatusesQuery {
  /** Accepted, but has no effect */
  forceCheck?: boolean;
  /** Accepted, but has no effect */
  refreshFromAmi?: boolean;
}

export interface SipProvidersGetHistoryQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
}

export interface SipProvidersGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
  /** Include disabled providers */
  includeDisabled?: boolean;
}

export interface SipProvidersCreateBody {
  /** Name of the provider */
  description: string;
  /** SIP server: host name or address */
  host: string;
  username?: string;
  /** Password. `XXXXXXXX` keeps the stored one, as does an absent one, or an empty one with PATCH */
  secret?: string;
  /** Who registers. Absent: `outbound` when username and secret are both given, else `none` */
  registration_type?: 'inbound' | 'outbound' | 'none';
  /** Check regularly that the provider answers */
  qualify?: boolean;
  /** Seconds between checks */
  qualifyfreq?: number | string;
  transport?: 'udp' | 'tcp' | 'tls' | 'udp,tcp';
  dtmfmode?: 'auto' | 'rfc4733' | 'inband' | 'info' | 'auto_info';
  port?: number | string;
  disabled?: boolean;
  note?: string;
  /** Where calls of the provider may come from: `none` (anywhere), or the id of a network filter */
  networkfilterid?: string | number;
  /** Additional settings for the telephony engine */
  manualattributes?: string;
  fromuser?: string;
  fromdomain?: string;
  outbound_proxy?: string;
  disablefromuser?: boolean;
  /** Where to find the number of the caller */
  cid_source?: 'default' | 'from' | 'rpid' | 'pai' | 'custom';
  cid_custom_header?: string;
  cid_parser_start?: string;
  cid_parser_end?: string;
  /** A regular expression whose first group is the number. It must be a plain pattern: no alternatives, no repeated groups, at most 2 repetitions of variable length (* + {1,3}), at most 4 optional characters (?), at most 255 characters once repetitions are written out */
  cid_parser_regex?: string;
  /** SIP header that shows a chosen number to the provider: P-Asserted-Identity, From or Remote-Party-ID */
  cid_placement?: 'pai' | 'from' | 'rpid';
  /** Where to find the dialled number */
  did_source?: 'default' | 'to' | 'diversion' | 'custom';
  did_custom_header?: string;
  did_parser_start?: string;
  did_parser_end?: string;
  /** A regular expression whose first group is the number. It must be a plain pattern: no alternatives, no repeated groups, at most 2 repetitions of variable length (* + {1,3}), at most 4 optional characters (?), at most 255 characters once repetitions are written out */
  did_parser_regex?: string;
  cid_did_debug?: boolean;
  /** Further hosts that the provider calls from; a write replaces the whole list */
  additionalHosts?: Array<{
    /** Host name, address, or CIDR of at least /16 (IPv6 /32) */ address: string;
  }>;
  /** Generated when absent */
  id?: string;
}

export interface SipProvidersUpdateBody {
  /** Name of the provider */
  description: string;
  /** SIP server: host name or address */
  host: string;
  username?: string;
  /** Password. `XXXXXXXX` keeps the stored one, as does an absent one, or an empty one with PATCH */
  secret?: string;
  /** Who registers. Absent: `outbound` when username and secret are both given, else `none` */
  registration_type?: 'inbound' | 'outbound' | 'none';
  /** Check regularly that the provider answers */
  qualify?: boolean;
  /** Seconds between checks */
  qualifyfreq?: number | string;
  transport?: 'udp' | 'tcp' | 'tls' | 'udp,tcp';
  dtmfmode?: 'auto' | 'rfc4733' | 'inband' | 'info' | 'auto_info';
  port?: number | string;
  disabled?: boolean;
  note?: string;
  /** Where calls of the provider may come from: `none` (anywhere), or the id of a network filter */
  networkfilterid?: string | number;
  /** Additional settings for the telephony engine */
  manualattributes?: string;
  fromuser?: string;
  fromdomain?: string;
  outbound_proxy?: string;
  disablefromuser?: boolean;
  /** Where to find the number of the caller */
  cid_source?: 'default' | 'from' | 'rpid' | 'pai' | 'custom';
  cid_custom_header?: string;
  cid_parser_start?: string;
  cid_parser_end?: string;
  /** A regular expression whose first group is the number. It must be a plain pattern: no alternatives, no repeated groups, at most 2 repetitions of variable length (* + {1,3}), at most 4 optional characters (?), at most 255 characters once repetitions are written out */
  cid_parser_regex?: string;
  /** SIP header that shows a chosen number to the provider: P-Asserted-Identity, From or Remote-Party-ID */
  cid_placement?: 'pai' | 'from' | 'rpid';
  /** Where to find the dialled number */
  did_source?: 'default' | 'to' | 'diversion' | 'custom';
  did_custom_header?: string;
  did_parser_start?: string;
  did_parser_end?: string;
  /** A regular expression whose first group is the number. It must be a plain pattern: no alternatives, no repeated groups, at most 2 repetitions of variable length (* + {1,3}), at most 4 optional characters (?), at most 255 characters once repetitions are written out */
  did_parser_regex?: string;
  cid_did_debug?: boolean;
  /** Further hosts that the provider calls from; a write replaces the whole list */
  additionalHosts?: Array<{
    /** Host name, address, or CIDR of at least /16 (IPv6 /32) */ address: string;
  }>;
}

export interface SipProvidersPatchBody {
  /** Name of the provider */
  description?: string;
  /** SIP server: host name or address */
  host?: string;
  username?: string;
  /** Password. `XXXXXXXX` keeps the stored one, as does an absent one, or an empty one with PATCH */
  secret?: string;
  /** Who registers. Absent: `outbound` when username and secret are both given, else `none` */
  registration_type?: 'inbound' | 'outbound' | 'none';
  /** Check regularly that the provider answers */
  qualify?: boolean;
  /** Seconds between checks */
  qualifyfreq?: number | string;
  transport?: 'udp' | 'tcp' | 'tls' | 'udp,tcp';
  dtmfmode?: 'auto' | 'rfc4733' | 'inband' | 'info' | 'auto_info';
  port?: number | string;
  disabled?: boolean;
  note?: string;
  /** Where calls of the provider may come from: `none` (anywhere), or the id of a network filter */
  networkfilterid?: string | number;
  /** Additional settings for the telephony engine */
  manualattributes?: string;
  fromuser?: string;
  fromdomain?: string;
  outbound_proxy?: string;
  disablefromuser?: boolean;
  /** Where to find the number of the caller */
  cid_source?: 'default' | 'from' | 'rpid' | 'pai' | 'custom';
  cid_custom_header?: string;
  cid_parser_start?: string;
  cid_parser_end?: string;
  /** A regular expression whose first group is the number. It must be a plain pattern: no alternatives, no repeated groups, at most 2 repetitions of variable length (* + {1,3}), at most 4 optional characters (?), at most 255 characters once repetitions are written out */
  cid_parser_regex?: string;
  /** SIP header that shows a chosen number to the provider: P-Asserted-Identity, From or Remote-Party-ID */
  cid_placement?: 'pai' | 'from' | 'rpid';
  /** Where to find the dialled number */
  did_source?: 'default' | 'to' | 'diversion' | 'custom';
  did_custom_header?: string;
  did_parser_start?: string;
  did_parser_end?: string;
  /** A regular expression whose first group is the number. It must be a plain pattern: no alternatives, no repeated groups, at most 2 repetitions of variable length (* + {1,3}), at most 4 optional characters (?), at most 255 characters once repetitions are written out */
  did_parser_regex?: string;
  cid_did_debug?: boolean;
  /** Further hosts that the provider calls from; a write replaces the whole list */
  additionalHosts?: Array<{
    /** Host name, address, or CIDR of at least /16 (IPv6 /32) */ address: string;
  }>;
}

export interface SipProvidersUpdateStatusBody {
  disabled: boolean;
}

export interface ProvidersGetStatusesQuery {
  /** Accepted, but has no effect */
  forceCheck?: boolean;
  /** Accepted, but has no effect */
  refreshFromAmi?: boolean;
}

export interface ProvidersGetHistoryQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
}

export interface ProvidersGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
  /** Include disabled providers */
  includeDisabled?: boolean;
}

export interface ProvidersUpdateStatusBody {
  disabled: boolean;
}

export interface ProvidersGetForSelectQuery {
  /** Include disabled providers */
  includeDisabled?: boolean;
}

export interface CdrGetListQuery {
  /** From this time on; a date means the start of the day */
  dateFrom?: string;
  /** Up to and including this second or day */
  dateTo?: string;
  /** Part of the number of the caller, in any leg */
  src_num?: string;
  /** Part of the number called or of the DID, in any leg */
  dst_num?: string;
  /** Part of the DID, in any leg */
  did?: string;
  /** ANSWERED, NO ANSWER, BUSY, FAILED or CHANUNAVAIL, ignoring case */
  disposition?: string;
  /** Only this call */
  linkedid?: string;
  /** Id of a provider: calls that came in or went out over it */
  provider?: string;
  /** Calls that reached a menu, a queue, a message, or the message for closed hours */
  app?: 'ivr' | 'queue' | 'announce' | 'offwork';
  /** Number of a queue: calls that waited in it */
  queue?: string;
  /** Calls with at least this many seconds of talk time */
  billsecFrom?: number;
  /** Only entries with a leg whose id is greater; send the previous `lastId` to miss and repeat nothing */
  idFrom?: number;
  /** Part of any number, or of the name of an employee */
  search?: string;
  grouped?: boolean;
  /** Clamped to 1..100, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
  /** Field to sort by; any other value means `id` */
  sort?: 'id' | 'start' | 'linkedid' | 'src_num' | 'dst_num' | 'did' | 'disposition' | 'duration' | 'billsec';
  /** Default: `DESC`, or `ASC` with `idFrom` and without `sort` */
  order?: 'ASC' | 'DESC';
  /** Return the ids of legs and calls deleted after this position, at most 90 days ago, instead of calls. Start with 0, then send `deleted.cursor`. Of the other parameters only `limit` counts */
  deletedSince?: number;
}

export interface CdrExportQuery {
  /** From this time on; a date means the start of the day */
  dateFrom?: string;
  /** Up to and including this second or day */
  dateTo?: string;
  /** Part of the number of the caller, in any leg */
  src_num?: string;
  /** Part of the number called or of the DID, in any leg */
  dst_num?: string;
  /** Part of the DID, in any leg */
  did?: string;
  /** ANSWERED, NO ANSWER, BUSY, FAILED or CHANUNAVAIL, ignoring case */
  disposition?: string;
  /** Only this call */
  linkedid?: string;
  /** Id of a provider: calls that came in or went out over it */
  provider?: string;
  /** Calls that reached a menu, a queue, a message, or the message for closed hours */
  app?: 'ivr' | 'queue' | 'announce' | 'offwork';
  /** Number of a queue: calls that waited in it */
  queue?: string;
  /** Calls with at least this many seconds of talk time */
  billsecFrom?: number;
  /** Only entries with a leg whose id is greater; send the previous `lastId` to miss and repeat nothing */
  idFrom?: number;
  /** Part of any number, or of the name of an employee */
  search?: string;
  grouped?: boolean;
  format?: 'csv' | 'ndjson';
}

export interface CdrGetMetadataQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
}

export interface CdrGetStatsQuery {
  /** From this time on; a date means the start of the day */
  dateFrom: string;
  /** Up to and including this second or day; at most 365 days after `dateFrom` */
  dateTo: string;
  by?: 'hour' | 'day';
}

export interface CdrGetStatsByProviderQuery {
  /** From this time on; a date means the start of the day */
  dateFrom: string;
  /** Up to and including this second or day; at most 365 days after `dateFrom` */
  dateTo: string;
  provider?: string;
}

export interface CdrPlaybackQuery {
  token: string;
}

export interface CdrPlaybackHeadQuery {
  token: string;
}

export interface CdrDownloadQuery {
  token: string;
}

export interface CdrDownloadHeadQuery {
  token: string;
}

export interface CdrDeleteBody {
  /** Alternative to the query parameter of the same name */
  deleteRecording?: boolean;
}

export interface CdrDeleteQuery {
  deleteRecording?: boolean;
}

export interface SipGetStatusesQuery {
  /** Return only `extension` and `status` of each employee */
  simplified?: boolean;
}

export interface ExtensionsGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
  /** Text contained in number, name or type, ignoring case */
  search?: string;
  /** Only this type; any other value returns all types */
  type?: 'SIP' | 'EXTERNAL' | 'QUEUE' | 'IVR' | 'FEATURE';
  /** `number` (by length, then digits; the default), `type` or `callerid` */
  order?: string;
  /** `asc` or `desc`, ignoring case */
  orderWay?: string;
  order_by?: string;
  order_direction?: string;
}

export interface ExtensionsGetForSelectQuery {
  /** `phones`: phones and mobiles; `internal`: phones; `routing`: everything that can be a target, words included; or a type. Any other value returns all numbers */
  type?: 'all' | 'phones' | 'internal' | 'routing' | 'SIP' | 'EXTERNAL' | 'QUEUE' | 'IVR' | 'FEATURE';
  /** Text contained in number, name or type, ignoring case */
  query?: string;
  /** Numbers to leave out, separated by commas */
  exclude?: string;
  /** `true` or `1`: begin with an empty choice */
  includeEmpty?: string;
}

export interface ExtensionsAvailableBody {
  number: string;
}

export interface ExtensionsGetPhonesRepresentBody {
  numbers: string[] | string;
}

export interface ExtensionsGetPhonesRepresentGetQuery {
  numbers: string[] | string;
}

export interface SoundFilesGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
  /** Text contained in the record, ignoring case */
  search?: string;
  /** Field to sort by: name, category, id; any other value means name */
  order?: string;
  /** `asc` or `desc`, ignoring case */
  orderWay?: string;
  /** Field to sort by: name, category, id; any other value means name */
  order_by?: string;
  /** `asc` or `desc`, ignoring case */
  order_direction?: string;
  category?: 'custom' | 'moh';
}

export interface SoundFilesCreateBody {
  /** Name of the sound */
  name: string;
  /** Free text for people */
  description?: string;
  /** Announcements, or music on hold */
  category?: 'custom' | 'moh';
  /** Even out the loudness; false: leave the samples unchanged */
  normalize?: boolean;
}

export interface SoundFilesUpdateBody {
  /** Name of the sound */
  name: string;
  /** Free text for people */
  description?: string;
  /** Announcements, or music on hold */
  category?: 'custom' | 'moh';
  /** Even out the loudness; false: leave the samples unchanged */
  normalize?: boolean;
}

export interface SoundFilesPatchBody {
  /** Name of the sound */
  name?: string;
  /** Free text for people */
  description?: string;
  /** Announcements, or music on hold */
  category?: 'custom' | 'moh';
  /** Even out the loudness; false: leave the samples unchanged */
  normalize?: boolean;
}

export interface SoundFilesGetForSelectQuery {
  /** Only sounds of this category */
  category?: 'custom' | 'moh';
}

export interface SoundFilesUploadFileQuery {
  /** New audio for this sound; absent: a new sound */
  id?: string;
  /** Default: the name of the file without its extension */
  name?: string;
  /** Free text for people */
  description?: string;
  /** Announcements, or music on hold */
  category?: 'custom' | 'moh';
  normalize?: boolean;
}

export interface SoundFilesPlaybackQuery {
  token: string;
}

export interface SoundFilesPlaybackHeadQuery {
  token: string;
}

export interface OutboundRoutesTestQuery {
  /** Number that is dialled */
  number: string;
  /** Number of the employee who dials; absent: no particular employee */
  employee?: string;
}

export interface OutboundRoutesGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
  /** Text contained in the record, ignoring case */
  search?: string;
  /** Field to sort by: priority, rulename, numberbeginswith; any other value means priority */
  order?: string;
  /** `asc` or `desc`, ignoring case */
  orderWay?: string;
  /** Field to sort by: priority, rulename, numberbeginswith; any other value means priority */
  order_by?: string;
  /** `asc` or `desc`, ignoring case */
  order_direction?: string;
}

export interface OutboundRoutesCreateBody {
  /** Name of the route */
  rulename: string;
  note?: string;
  /** Id of the provider that carries the call */
  providerid: string;
  /** Lower values are tried first; 0 on create: after all others */
  priority?: number | string;
  /** How the number begins: digits, + * #, X (0-9), Z (1-9), N (2-9), sets like [78] or [0-4], alternatives (a|b); empty = any number */
  numberbeginswith?: string;
  /** How many digits follow; -1 = any number of digits */
  restnumbers?: number | string;
  /** How many digits to cut from the beginning */
  trimfrombegin?: number | string;
  /** Digits to put before the remaining number */
  prepend?: string;
  /** Number shown: digits with or without +, `anonymous`, or empty if the route sets none */
  callerid?: string;
  /** Number that a forwarded call from outside shows: that of the `caller`, or the `own` number of the one who forwards */
  callerid_forwarded?: 'caller' | 'own';
  /** Lowest class that an employee needs to dial over this route */
  call_class?: 'national' | 'international' | 'premium';
  disabled?: boolean;
}

export interface OutboundRoutesUpdateBody {
  /** Name of the route */
  rulename: string;
  note?: string;
  /** Id of the provider that carries the call */
  providerid: string;
  /** Lower values are tried first; 0 on create: after all others */
  priority?: number | string;
  /** How the number begins: digits, + * #, X (0-9), Z (1-9), N (2-9), sets like [78] or [0-4], alternatives (a|b); empty = any number */
  numberbeginswith?: string;
  /** How many digits follow; -1 = any number of digits */
  restnumbers?: number | string;
  /** How many digits to cut from the beginning */
  trimfrombegin?: number | string;
  /** Digits to put before the remaining number */
  prepend?: string;
  /** Number shown: digits with or without +, `anonymous`, or empty if the route sets none */
  callerid?: string;
  /** Number that a forwarded call from outside shows: that of the `caller`, or the `own` number of the one who forwards */
  callerid_forwarded?: 'caller' | 'own';
  /** Lowest class that an employee needs to dial over this route */
  call_class?: 'national' | 'international' | 'premium';
  disabled?: boolean;
}

export interface OutboundRoutesPatchBody {
  /** Name of the route */
  rulename?: string;
  note?: string;
  /** Id of the provider that carries the call */
  providerid?: string;
  /** Lower values are tried first; 0 on create: after all others */
  priority?: number | string;
  /** How the number begins: digits, + * #, X (0-9), Z (1-9), N (2-9), sets like [78] or [0-4], alternatives (a|b); empty = any number */
  numberbeginswith?: string;
  /** How many digits follow; -1 = any number of digits */
  restnumbers?: number | string;
  /** How many digits to cut from the beginning */
  trimfrombegin?: number | string;
  /** Digits to put before the remaining number */
  prepend?: string;
  /** Number shown: digits with or without +, `anonymous`, or empty if the route sets none */
  callerid?: string;
  /** Number that a forwarded call from outside shows: that of the `caller`, or the `own` number of the one who forwards */
  callerid_forwarded?: 'caller' | 'own';
  /** Lowest class that an employee needs to dial over this route */
  call_class?: 'national' | 'international' | 'premium';
  disabled?: boolean;
}

export type OutboundRoutesChangePriorityBody = Record<string, unknown>;

export interface IncomingRoutesGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
  /** Text contained in the record, ignoring case */
  search?: string;
  /** Field to sort by: priority, number, extension, rulename; any other value means priority */
  order?: string;
  /** `asc` or `desc`, ignoring case */
  orderWay?: string;
  /** Field to sort by: priority, number, extension, rulename; any other value means priority */
  order_by?: string;
  /** `asc` or `desc`, ignoring case */
  order_direction?: string;
  /** Only for this provider */
  providerid?: string;
}

export interface IncomingRoutesCreateBody {
  /** Name of the route */
  rulename?: string;
  note?: string;
  /** The number called: digits, a pattern such as `_7495XXXXXXX`, or a name; empty = any number */
  number?: string | number;
  /** `ends`: the called number ends with these digits, at least 4 */
  match?: 'exact' | 'ends';
  /** Id of a provider; `none` = every provider */
  providerid?: string;
  /** Only for these callers: numbers, beginnings of numbers followed by `*`, or `anonymous`; empty = all callers */
  callers?: string[];
  /** The lowest value is tried first; 0 or absent: after all others */
  priority?: number | string;
  /** Seconds until the next route is tried; 0 = as long as the target takes */
  timeout?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  extension: string | number;
  /** Id of the sound to play before the target; empty or `none` = no sound */
  audio_message_id?: string | number;
  disabled?: boolean;
  /** Default route only: if the called number is that of an employee, queue or menu, ring there */
  did_to_extension?: boolean;
}

export interface IncomingRoutesUpdateBody {
  /** Name of the route */
  rulename?: string;
  note?: string;
  /** The number called: digits, a pattern such as `_7495XXXXXXX`, or a name; empty = any number */
  number?: string | number;
  /** `ends`: the called number ends with these digits, at least 4 */
  match?: 'exact' | 'ends';
  /** Id of a provider; `none` = every provider */
  providerid?: string;
  /** Only for these callers: numbers, beginnings of numbers followed by `*`, or `anonymous`; empty = all callers */
  callers?: string[];
  /** The lowest value is tried first; 0 or absent: after all others */
  priority?: number | string;
  /** Seconds until the next route is tried; 0 = as long as the target takes */
  timeout?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  extension: string | number;
  /** Id of the sound to play before the target; empty or `none` = no sound */
  audio_message_id?: string | number;
  disabled?: boolean;
  /** Default route only: if the called number is that of an employee, queue or menu, ring there */
  did_to_extension?: boolean;
}

export interface IncomingRoutesPatchBody {
  /** Name of the route */
  rulename?: string;
  note?: string;
  /** The number called: digits, a pattern such as `_7495XXXXXXX`, or a name; empty = any number */
  number?: string | number;
  /** `ends`: the called number ends with these digits, at least 4 */
  match?: 'exact' | 'ends';
  /** Id of a provider; `none` = every provider */
  providerid?: string;
  /** Only for these callers: numbers, beginnings of numbers followed by `*`, or `anonymous`; empty = all callers */
  callers?: string[];
  /** The lowest value is tried first; 0 or absent: after all others */
  priority?: number | string;
  /** Seconds until the next route is tried; 0 = as long as the target takes */
  timeout?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  extension?: string | number;
  /** Id of the sound to play before the target; empty or `none` = no sound */
  audio_message_id?: string | number;
  disabled?: boolean;
  /** Default route only: if the called number is that of an employee, queue or menu, ring there */
  did_to_extension?: boolean;
}

export type IncomingRoutesChangePriorityBody = Record<string, unknown>;

export interface IncomingRoutesGetUniqueDIDsQuery {
  /** Only for this provider */
  providerid?: string;
  /** Only numbers that no route names */
  unmatched?: boolean;
}

export interface IvrMenuGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
  /** Text contained in the record, ignoring case */
  search?: string;
  /** Field to sort by: name, extension; any other value means name */
  order?: string;
  /** `asc` or `desc`, ignoring case */
  orderWay?: string;
  /** Field to sort by: name, extension; any other value means name */
  order_by?: string;
  /** `asc` or `desc`, ignoring case */
  order_direction?: string;
}

export interface IvrMenuCreateBody {
  name: string;
  description?: string;
  /** Its number: 2..8 digits, not used by anything else */
  extension: string;
  /** Id of a sound file, or empty */
  audio_message_id?: string | number;
  timeout?: number | string;
  number_of_repeat?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  timeout_extension?: string | number;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  invalid_extension?: string | number;
  /** Id of a sound file, or empty */
  invalid_audio_message_id?: string | number;
  /** Id of a sound file, or empty */
  timeout_audio_message_id?: string | number;
  allow_enter_any_internal_extension?: boolean;
  actions?:
    | Array<{
        digits: string;
        /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
        extension: string | number;
      }>
    | string;
  /** Id chosen by the client; generated when absent */
  id?: string;
}

export interface IvrMenuUpdateBody {
  name: string;
  description?: string;
  /** Its number: 2..8 digits, not used by anything else */
  extension: string;
  /** Id of a sound file, or empty */
  audio_message_id?: string | number;
  timeout?: number | string;
  number_of_repeat?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  timeout_extension?: string | number;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  invalid_extension?: string | number;
  /** Id of a sound file, or empty */
  invalid_audio_message_id?: string | number;
  /** Id of a sound file, or empty */
  timeout_audio_message_id?: string | number;
  allow_enter_any_internal_extension?: boolean;
  actions?:
    | Array<{
        digits: string;
        /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
        extension: string | number;
      }>
    | string;
}

export interface IvrMenuPatchBody {
  name?: string;
  description?: string;
  /** Its number: 2..8 digits, not used by anything else */
  extension?: string;
  /** Id of a sound file, or empty */
  audio_message_id?: string | number;
  timeout?: number | string;
  number_of_repeat?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  timeout_extension?: string | number;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  invalid_extension?: string | number;
  /** Id of a sound file, or empty */
  invalid_audio_message_id?: string | number;
  /** Id of a sound file, or empty */
  timeout_audio_message_id?: string | number;
  allow_enter_any_internal_extension?: boolean;
  actions?:
    | Array<{
        digits: string;
        /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
        extension: string | number;
      }>
    | string;
}

export interface IvrMenuDeleteQuery {
  /** New target for calls that were sent to the deleted record: a number, or one of hangup, busy, did2user, voicemail */
  replaceWith?: string | number;
}

export interface IvrMenuGetStatsQuery {
  /** From this time on; a date means the start of the day */
  dateFrom: string;
  /** Up to and including this second or day */
  dateTo: string;
}

export interface CallQueuesGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
  /** Text contained in the record, ignoring case */
  search?: string;
  /** Field to sort by: name, extension, strategy; any other value means name */
  order?: string;
  /** `asc` or `desc`, ignoring case */
  orderWay?: string;
  /** Field to sort by: name, extension, strategy; any other value means name */
  order_by?: string;
  /** `asc` or `desc`, ignoring case */
  order_direction?: string;
}

export interface CallQueuesCreateBody {
  name: string;
  description?: string;
  /** Its number: 2..8 digits, not used by anything else */
  extension: string;
  strategy?: 'ringall' | 'leastrecent' | 'fewestcalls' | 'random' | 'rrmemory' | 'linear' | 'growing';
  seconds_to_ring_each_member?: number | string;
  seconds_for_wrapup?: number | string;
  recive_calls_while_on_a_call?: boolean;
  caller_hear?: 'ringing' | 'moh';
  /** Id of a sound file, or empty */
  moh_sound_id?: string | number;
  /** Id of a sound file, or empty */
  periodic_announce_sound_id?: string | number;
  /** Seconds; 0 = never */
  periodic_announce_frequency?: number | string;
  announce_position?: boolean;
  announce_hold_time?: boolean;
  /** Seconds; 0 = no limit */
  timeout_to_redirect_to_extension?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  timeout_extension?: string | number;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  redirect_to_extension_if_empty?: string | number;
  /** Callers; 0 = no limit */
  max_waiting?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  redirect_to_extension_if_full?: string | number;
  /** Seconds during which a member who rejected a call is not rung again for the same caller */
  seconds_after_reject?: number | string;
  callerid_prefix?: string;
  /** Members in order; a write replaces the whole list, states are kept */
  members?: Array<{ extension: string | number }> | string;
  /** Stored and returned, but has no effect */
  number_unanswered_calls_to_redirect?: number | string;
  /** Stored and returned, but has no effect */
  redirect_to_extension_if_unanswered?: string | number;
  /** Stored and returned, but has no effect */
  number_repeat_unanswered_to_redirect?: number | string;
  /** Stored and returned, but has no effect */
  redirect_to_extension_if_repeat_exceeded?: string | number;
  /** Id chosen by the client; generated when absent */
  id?: string;
}

export interface CallQueuesUpdateBody {
  name: string;
  description?: string;
  /** Its number: 2..8 digits, not used by anything else */
  extension: string;
  strategy?: 'ringall' | 'leastrecent' | 'fewestcalls' | 'random' | 'rrmemory' | 'linear' | 'growing';
  seconds_to_ring_each_member?: number | string;
  seconds_for_wrapup?: number | string;
  recive_calls_while_on_a_call?: boolean;
  caller_hear?: 'ringing' | 'moh';
  /** Id of a sound file, or empty */
  moh_sound_id?: string | number;
  /** Id of a sound file, or empty */
  periodic_announce_sound_id?: string | number;
  /** Seconds; 0 = never */
  periodic_announce_frequency?: number | string;
  announce_position?: boolean;
  announce_hold_time?: boolean;
  /** Seconds; 0 = no limit */
  timeout_to_redirect_to_extension?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  timeout_extension?: string | number;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  redirect_to_extension_if_empty?: string | number;
  /** Callers; 0 = no limit */
  max_waiting?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  redirect_to_extension_if_full?: string | number;
  /** Seconds during which a member who rejected a call is not rung again for the same caller */
  seconds_after_reject?: number | string;
  callerid_prefix?: string;
  /** Members in order; a write replaces the whole list, states are kept */
  members?: Array<{ extension: string | number }> | string;
  /** Stored and returned, but has no effect */
  number_unanswered_calls_to_redirect?: number | string;
  /** Stored and returned, but has no effect */
  redirect_to_extension_if_unanswered?: string | number;
  /** Stored and returned, but has no effect */
  number_repeat_unanswered_to_redirect?: number | string;
  /** Stored and returned, but has no effect */
  redirect_to_extension_if_repeat_exceeded?: string | number;
}

export interface CallQueuesPatchBody {
  name?: string;
  description?: string;
  /** Its number: 2..8 digits, not used by anything else */
  extension?: string;
  strategy?: 'ringall' | 'leastrecent' | 'fewestcalls' | 'random' | 'rrmemory' | 'linear' | 'growing';
  seconds_to_ring_each_member?: number | string;
  seconds_for_wrapup?: number | string;
  recive_calls_while_on_a_call?: boolean;
  caller_hear?: 'ringing' | 'moh';
  /** Id of a sound file, or empty */
  moh_sound_id?: string | number;
  /** Id of a sound file, or empty */
  periodic_announce_sound_id?: string | number;
  /** Seconds; 0 = never */
  periodic_announce_frequency?: number | string;
  announce_position?: boolean;
  announce_hold_time?: boolean;
  /** Seconds; 0 = no limit */
  timeout_to_redirect_to_extension?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  timeout_extension?: string | number;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  redirect_to_extension_if_empty?: string | number;
  /** Callers; 0 = no limit */
  max_waiting?: number | string;
  /** A number of 1..20 digits, with or without +, or one of hangup, busy, did2user, voicemail */
  redirect_to_extension_if_full?: string | number;
  /** Seconds during which a member who rejected a call is not rung again for the same caller */
  seconds_after_reject?: number | string;
  callerid_prefix?: string;
  /** Members in order; a write replaces the whole list, states are kept */
  members?: Array<{ extension: string | number }> | string;
  /** Stored and returned, but has no effect */
  number_unanswered_calls_to_redirect?: number | string;
  /** Stored and returned, but has no effect */
  redirect_to_extension_if_unanswered?: string | number;
  /** Stored and returned, but has no effect */
  number_repeat_unanswered_to_redirect?: number | string;
  /** Stored and returned, but has no effect */
  redirect_to_extension_if_repeat_exceeded?: string | number;
}

export interface CallQueuesDeleteQuery {
  /** New target for calls that were sent to the deleted record: a number, or one of hangup, busy, did2user, voicemail */
  replaceWith?: string | number;
}

export interface CallQueuesSetMemberStateBody {
  extension: string | number;
  state: 'in' | 'out' | 'paused';
  /** Why the member is paused; otherwise empty */
  reason?: string;
}

export interface CallQueuesSetMemberStatePostBody {
  extension: string | number;
  state: 'in' | 'out' | 'paused';
  /** Why the member is paused; otherwise empty */
  reason?: string;
}

export interface OffWorkTimesGetStateQuery {
  /** Id of the first incoming route that the call matches */
  incomingRouteId?: number | string;
  /** Default: now */
  at?: string;
}

export interface OffWorkTimesOverrideBody {
  /** `auto`: follow the rules again */
  mode: 'open' | 'closed' | 'auto';
  /** When the override ends by itself; empty: never */
  until?: string;
  /** The rule that a closed line follows; empty: the first that covers the route */
  ruleId?: string | number;
  /** Empty: all routes */
  incomingRouteIds?: Array<number | string>;
}

export interface OffWorkTimesImportCalendarBody {
  /** The content of the file */
  ics: string;
}

export interface OffWorkTimesGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
  /** Text contained in the record, ignoring case */
  search?: string;
  /** Field to sort by: priority, name, description, date_from; any other value means priority */
  order?: string;
  /** `asc` or `desc`, ignoring case */
  orderWay?: string;
  /** Field to sort by: priority, name, description, date_from; any other value means priority */
  order_by?: string;
  /** `asc` or `desc`, ignoring case */
  order_direction?: string;
}

export interface OffWorkTimesCreateBody {
  /** Name of the rule */
  description?: string;
  /** `timeframe`: by the dates, weekdays and times given here; `ical`: only by the imported calendar */
  calType?: 'timeframe' | 'ical' | '';
  /** First day, together with `date_to`; Unix seconds are accepted too */
  date_from?: string | number;
  /** Last day, inclusive */
  date_to?: string | number;
  /** 1 (Monday) to 7 (Sunday), together with `weekday_to`; -1 = every day */
  weekday_from?: '-1' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | -1 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** Inclusive; 6 to 2 means Saturday to Tuesday */
  weekday_to?: '-1' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | -1 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** HH:MM; both empty = the whole day */
  time_from?: string;
  /** Exclusive; 23:59 and 24:00 mean the end of the day. A time before `time_from` is on the next day */
  time_to?: string;
  /** IANA name; empty = the time zone of the exchange */
  timezone?: string;
  /** What happens to a call */
  action?: 'extension' | 'playmessage';
  /** Where the call goes; required if `action` is `extension` */
  extension?: string | number;
  /** Id of the sound file to play; required if `action` is `playmessage` */
  audio_message_id?: string | number;
  /** Of the active rules, the one with the lowest value applies; 0 = after all others */
  priority?: number | string;
  /** Apply the rule only to the routes in `incomingRouteIds` */
  allowRestriction?: boolean;
  /** Ids of incoming routes; 1 is the default route */
  incomingRouteIds?: Array<number | string>;
  disabled?: boolean;
}

export interface OffWorkTimesUpdateBody {
  /** Name of the rule */
  description?: string;
  /** `timeframe`: by the dates, weekdays and times given here; `ical`: only by the imported calendar */
  calType?: 'timeframe' | 'ical' | '';
  /** First day, together with `date_to`; Unix seconds are accepted too */
  date_from?: string | number;
  /** Last day, inclusive */
  date_to?: string | number;
  /** 1 (Monday) to 7 (Sunday), together with `weekday_to`; -1 = every day */
  weekday_from?: '-1' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | -1 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** Inclusive; 6 to 2 means Saturday to Tuesday */
  weekday_to?: '-1' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | -1 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** HH:MM; both empty = the whole day */
  time_from?: string;
  /** Exclusive; 23:59 and 24:00 mean the end of the day. A time before `time_from` is on the next day */
  time_to?: string;
  /** IANA name; empty = the time zone of the exchange */
  timezone?: string;
  /** What happens to a call */
  action?: 'extension' | 'playmessage';
  /** Where the call goes; required if `action` is `extension` */
  extension?: string | number;
  /** Id of the sound file to play; required if `action` is `playmessage` */
  audio_message_id?: string | number;
  /** Of the active rules, the one with the lowest value applies; 0 = after all others */
  priority?: number | string;
  /** Apply the rule only to the routes in `incomingRouteIds` */
  allowRestriction?: boolean;
  /** Ids of incoming routes; 1 is the default route */
  incomingRouteIds?: Array<number | string>;
  disabled?: boolean;
}

export interface OffWorkTimesPatchBody {
  /** Name of the rule */
  description?: string;
  /** `timeframe`: by the dates, weekdays and times given here; `ical`: only by the imported calendar */
  calType?: 'timeframe' | 'ical' | '';
  /** First day, together with `date_to`; Unix seconds are accepted too */
  date_from?: string | number;
  /** Last day, inclusive */
  date_to?: string | number;
  /** 1 (Monday) to 7 (Sunday), together with `weekday_to`; -1 = every day */
  weekday_from?: '-1' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | -1 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** Inclusive; 6 to 2 means Saturday to Tuesday */
  weekday_to?: '-1' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | -1 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** HH:MM; both empty = the whole day */
  time_from?: string;
  /** Exclusive; 23:59 and 24:00 mean the end of the day. A time before `time_from` is on the next day */
  time_to?: string;
  /** IANA name; empty = the time zone of the exchange */
  timezone?: string;
  /** What happens to a call */
  action?: 'extension' | 'playmessage';
  /** Where the call goes; required if `action` is `extension` */
  extension?: string | number;
  /** Id of the sound file to play; required if `action` is `playmessage` */
  audio_message_id?: string | number;
  /** Of the active rules, the one with the lowest value applies; 0 = after all others */
  priority?: number | string;
  /** Apply the rule only to the routes in `incomingRouteIds` */
  allowRestriction?: boolean;
  /** Ids of incoming routes; 1 is the default route */
  incomingRouteIds?: Array<number | string>;
  disabled?: boolean;
}

export type OffWorkTimesChangePrioritiesBody = Record<string, unknown>;

export type OffWorkTimesChangePriorityBody = Record<string, unknown>;

export interface IncomingRoutesExplainQuery {
  /** Id of the provider that delivers the call; absent: a provider that no route names */
  provider?: string;
  /** The number called, as a provider sends it */
  number?: string;
  /** The number of the caller, as a provider sends it */
  caller?: string;
  /** Time of the call; all phones are assumed to be registered and free. Absent: now, in the present state */
  at?: string;
  /** What the caller does in menus; after that, the caller presses nothing */
  digits?: string;
}

export interface ModulesGetListQuery {
  /** Clamped to 1..1000, never refused */
  limit?: number;
  /** Number of records to skip */
  offset?: number;
}

export interface ModulesPatchBody {
  settings?: Record<string, unknown>;
  /** Names of settings to reset to their defaults */
  reset?: string[];
}

export interface ModulesDeleteQuery {
  /** Also remove all data of the module and its settings */
  purge?: boolean;
}

export interface ModulesInstallQuery {
  /** Replace the installed module; its data and settings are kept */
  replace?: boolean;
}

export interface ModulesEnableBody {
  /** The answer of `:check`, or `accepted` of the record; any other fields in it are ignored */
  shown?: {
    reads: string[];
    writes: string[];
    acts: string[];
    endpoints: Array<{
      verb: string;
      path: string;
      channels: Array<'localhost' | 'bearer_token' | 'public'>;
    }>;
  };
}

export interface ModulesDisableBody {
  reason?: 'DisabledByUser' | 'DisabledByException' | 'DisabledByCrashLoop';
  reasonText?: string;
}

export interface ModulesGetLogQuery {
  /** Maximum number of matching lines; the latest are returned */
  lines?: number | string;
  /** This level and more severe ones */
  level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
}
