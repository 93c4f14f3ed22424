import type { Generated } from 'kysely';
import type { Flag } from './schema.ts';

export interface ModuleTable {
  id: string;
  disabled: Flag;
  reason: string;
  reason_text: string;
  /** JSON object. */
  settings: string;
  /** The `module_id` of its data; empty: its own id. */
  data_place: Generated<string>;
  /** The module version whose format the data has; empty when not recorded. */
  data_version: Generated<string>;
  /** The last version that migrated the data; empty: none. */
  data_since: Generated<string>;
  /** The rights accepted when the module was enabled, as JSON; empty when not recorded. */
  accepted: Generated<string>;
}

interface ModuleValueTable {
  module_id: string;
  key: string;
  /** JSON. */
  value: string;
}

interface ModuleRecordTable {
  module_id: string;
  resource: string;
  id: number;
  /** JSON object. */
  data: string;
  search_text: string;
}

interface ModuleResourceTable {
  module_id: string;
  resource: string;
  last_id: number;
  /** The searchable and the unique fields, as JSON; empty when not recorded. */
  indexed: Generated<string>;
}

interface ModuleUniqueTable {
  module_id: string;
  resource: string;
  field: string;
  value: string;
  record_id: number;
}

/** The size of the data under one `module_id`. Written only by triggers. */
interface ModuleSizeTable {
  module_id: string;
  bytes: number;
}

/** The modules, whether they are enabled, and their data. */
export interface ModuleTables {
  modules: ModuleTable;
  module_values: ModuleValueTable;
  module_records: ModuleRecordTable;
  module_resources: ModuleResourceTable;
  module_unique: ModuleUniqueTable;
  module_sizes: ModuleSizeTable;
}
