import type { ColumnType, Generated } from 'kysely';
import type {
  CallFlowChangesTable,
  CallFlowIdTable,
  CallFlowRecordTable,
  CallFlowReferenceTable,
  HoursOverridesTable,
  NumberTurnTable,
} from './call-flow-tables.ts';
import type { ModuleTables } from './module-tables.ts';

/** '0' or '1' when we wrote it; other tools may write anything into the m_ tables (contract 11). */
export type Flag = '0' | '1';
export const flagText = (value: boolean): Flag => (value ? '1' : '0');
/** Other tools may have written a number. */
export const isSet = (flag: unknown): boolean => String(flag ?? '').trim() === '1';
/** In the m_ tables every column but the id may be left out and may be NULL. */
type Open<T> = ColumnType<T | null, T | null | undefined, T | null>;

interface NetworkFilterTable {
  id: Generated<number>;
  permit: Open<string>;
  deny: Open<string>;
  newer_block_ip: Open<string>;
  local_network: Open<string>;
  description: Open<string>;
  priority: Open<string>;
}

interface Fail2BanRuleTable {
  id: number;
  maxretry: Open<number>;
  bantime: Open<number>;
  findtime: Open<number>;
  whitelist: Open<string>;
}

interface FirewallRuleTable {
  filter_id: number;
  category: string;
  action: Flag;
}

/** Triggers raise `version` with every write of filters and rules; only the sum over all slots is meaningful. */
interface FilterChangesTable {
  slot: number;
  version: number;
}

interface SettingTable {
  key: string;
  value: string;
}

interface UserTable {
  id: Generated<number>;
  login: string;
  password_hash: string;
  /** Whether the password is still the one that the first start generated. */
  password_generated: Generated<Flag>;
  language: Generated<string>;
  created_at: number;
}

interface AuthTokenTable {
  hash: string;
  kind: 'access' | 'refresh';
  user_id: number;
  session: string;
  expires_at: number;
}

interface LoginSourceTable {
  user_id: number;
  /** An IPv4 address or an IPv6 /64. */
  source: string;
  last_login_at: number;
}

export interface ApiKeyTable {
  id: Generated<number>;
  description: Generated<string>;
  key_hash: string;
  key_display: string;
  full_permissions: Generated<Flag>;
  allowed_paths: Generated<string>;
  networkfilterid: Generated<string>;
  /** The name of a known client, or empty. */
  bouncer_client: Generated<string>;
  /** JSON; empty when all options are as specified. */
  bouncer_options: Generated<string>;
  created_at: number;
  last_used_at: number | null;
  last_poll_at: number | null;
  last_poll_ip: string | null;
  user_agent: string | null;
  last_metrics_at: number | null;
  last_metrics: string | null;
  /** The summed counters of `last_metrics`, as JSON. */
  last_usage: string | null;
  /** The usual time between two polls. */
  poll_interval_ms: number | null;
}

export interface EmployeeTable {
  id: Generated<number>;
  number: string;
  user_username: string;
  user_email: string;
  mobile_number: string;
  mobile_dialstring: string;
  sip_secret: string;
  sip_transport: string;
  sip_dtmfmode: string;
  sip_media_encryption: string;
  sip_enableRecording: Flag;
  sip_networkfilterid: string;
  sip_manualattributes: string;
  fwd_ringlength: number;
  fwd_forwarding: string;
  fwd_forwardingonbusy: string;
  fwd_forwardingonunavailable: string;
  outgoing_callerid: string;
  call_class: string;
  number_key: number;
  name_key: string;
  email_key: string;
  mobile_key: string;
  search_text: string;
  version: number;
  created_at: number;
  updated_at: number;
}

/** One row. Every write of employees raises `version`, which also serialises the writers. */
interface EmployeeChangesTable {
  id: number;
  version: number;
  /** Time of the last write; never decreases. */
  changed_at: Generated<number>;
  /** Deletions up to this version are no longer stored. */
  forgotten: Generated<number>;
}

interface EmployeeDeletionTable {
  employee_id: number;
  version: number;
  deleted_at: number;
}

interface EmployeeImportTable {
  hash: string;
  caller: string;
  expires_at: number;
  strategy: string;
  rows: string;
}

export interface SipProviderTable {
  id: string;
  description: string;
  host: string;
  username: string;
  secret: string;
  registration_type: string;
  qualify: Flag;
  qualifyfreq: number;
  transport: string;
  dtmfmode: string;
  port: number;
  disabled: Flag;
  note: string;
  networkfilterid: string;
  manualattributes: string;
  fromuser: string;
  fromdomain: string;
  outbound_proxy: string;
  disablefromuser: Flag;
  cid_source: string;
  cid_custom_header: string;
  cid_parser_start: string;
  cid_parser_end: string;
  cid_parser_regex: string;
  cid_placement: string;
  did_source: string;
  did_custom_header: string;
  did_parser_start: string;
  did_parser_end: string;
  did_parser_regex: string;
  cid_did_debug: Flag;
  /** JSON array of texts. */
  additional_hosts: string;
  created_at: number;
  switched_at: number;
}

/** One row. Every write of providers raises `version`, so that readers can detect changes cheaply. */
interface SipProviderChangesTable {
  id: number;
  version: number;
}

type ShownProviderState =
  | 'registered'
  | 'unregistered'
  | 'rejected'
  | 'OK'
  | 'lagged'
  | 'unreachable'
  | 'OFF'
  | 'UNKNOWN';

interface ProviderHistoryTable {
  provider_id: string;
  seq: number;
  timestamp: number;
  state: ShownProviderState;
  previous: ShownProviderState;
}

/** `cdr_general`: every column but the id may be left out and may be NULL (contract 11). */
export interface CallLegTable {
  id: Generated<number>;
  start: Open<string>;
  answer: Open<string>;
  endtime: Open<string>;
  src_chan: Open<string>;
  src_num: Open<string>;
  src_name: Open<string>;
  dst_chan: Open<string>;
  dst_num: Open<string>;
  dst_name: Open<string>;
  UNIQUEID: Open<string>;
  linkedid: Open<string>;
  did: Open<string>;
  disposition: Open<string>;
  recordingfile: Open<string>;
  from_account: Open<string>;
  to_account: Open<string>;
  dialstatus: Open<string>;
  appname: Open<string>;
  is_app: Open<string>;
  work_completed: Open<string>;
  src_call_id: Open<string>;
  dst_call_id: Open<string>;
  verbose_call_id: Open<string>;
  rec_src_channel: Open<string>;
  dtmf_digits: Open<string>;
  transfer: Open<number>;
  duration: Open<number>;
  billsec: Open<number>;
  a_transfer: Open<number>;
}

/** Written by triggers. `leg_id` is NULL when a leg of the call moved to another call. */
interface CallDeletionTable {
  position: Generated<number>;
  leg_id: number | null;
  linkedid: string | null;
  deleted_at: number;
}

/** Times are milliseconds since the epoch, as plain numbers on both databases. */
export interface Database extends ModuleTables {
  m_NetworkFilters: NetworkFilterTable;
  m_Fail2BanRules: Fail2BanRuleTable;
  firewall_rules: FirewallRuleTable;
  filter_changes: FilterChangesTable;
  settings: SettingTable;
  users: UserTable;
  auth_tokens: AuthTokenTable;
  login_sources: LoginSourceTable;
  api_keys: ApiKeyTable;
  cdr_general: CallLegTable;
  cdr_deletions: CallDeletionTable;
  sip_providers: SipProviderTable;
  sip_provider_changes: SipProviderChangesTable;
  provider_history: ProviderHistoryTable;
  employees: EmployeeTable;
  employee_changes: EmployeeChangesTable;
  employee_deletions: EmployeeDeletionTable;
  employee_imports: EmployeeImportTable;
  call_flow_records: CallFlowRecordTable;
  call_flow_references: CallFlowReferenceTable;
  call_flow_ids: CallFlowIdTable;
  call_flow_changes: CallFlowChangesTable;
  hours_overrides: HoursOverridesTable;
  number_turns: NumberTurnTable;
}
