import type { ColumnType, Generated } from 'kysely';

/** '0' or '1' when we wrote it; the m_ tables are open to other tools, which may leave anything (contract 11). */
type Flag = '0' | '1';
/** In the m_ tables every column but the id may be left out and may be NULL. */
type Open<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface NetworkFilterTable {
  id: Generated<number>;
  permit: Open<string>;
  deny: Open<string>;
  newer_block_ip: Open<string>;
  local_network: Open<string>;
  description: Open<string>;
  priority: Open<string>;
}

export interface Fail2BanRuleTable {
  id: number;
  maxretry: Open<number>;
  bantime: Open<number>;
  findtime: Open<number>;
  whitelist: Open<string>;
}

export interface FirewallRuleTable {
  filter_id: number;
  category: string;
  action: Flag;
}

export interface SettingTable {
  key: string;
  value: string;
}

export interface UserTable {
  id: Generated<number>;
  login: string;
  password_hash: string;
  language: Generated<string>;
  created_at: number;
}

export interface AuthTokenTable {
  hash: string;
  kind: 'access' | 'refresh';
  user_id: number;
  session: string;
  expires_at: number;
}

export interface ApiKeyTable {
  id: Generated<number>;
  description: Generated<string>;
  key_hash: string;
  key_display: string;
  full_permissions: Generated<Flag>;
  allowed_paths: Generated<string>;
  networkfilterid: Generated<string>;
  created_at: number;
  last_used_at: number | null;
  last_poll_at: number | null;
  last_poll_ip: string | null;
  user_agent: string | null;
  last_metrics_at: number | null;
  last_metrics: string | null;
}

/** Times are milliseconds since the epoch, plain numbers on both databases. */
export interface Database {
  m_NetworkFilters: NetworkFilterTable;
  m_Fail2BanRules: Fail2BanRuleTable;
  firewall_rules: FirewallRuleTable;
  settings: SettingTable;
  users: UserTable;
  auth_tokens: AuthTokenTable;
  api_keys: ApiKeyTable;
}
