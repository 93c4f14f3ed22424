import type { Flag } from './schema.ts';

export interface ModuleTable {
  id: string;
  disabled: Flag;
  reason: string;
  reason_text: string;
  /** JSON object. */
  settings: string;
}

export interface ModuleValueTable {
  module_id: string;
  key: string;
  /** JSON. */
  value: string;
}

export interface ModuleRecordTable {
  module_id: string;
  resource: string;
  id: number;
  /** JSON object. */
  data: string;
  search_text: string;
}

export interface ModuleResourceTable {
  module_id: string;
  resource: string;
  last_id: number;
}

export interface ModuleUniqueTable {
  module_id: string;
  resource: string;
  field: string;
  value: string;
  record_id: number;
}
