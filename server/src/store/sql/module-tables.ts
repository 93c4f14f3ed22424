import type { Generated } from 'kysely';
import type { Flag } from './schema.ts';

export interface ModuleTable {
  id: string;
  disabled: Flag;
  reason: string;
  reason_text: string;
  /** JSON object. */
  settings: string;
  /** The `module_id` of what it keeps; empty: its id. */
  data_place: Generated<string>;
  /** Which version of the module that is in the shape of; empty: nobody has noted it. */
  data_version: Generated<string>;
  /** The last version that migrated it; empty: none did. */
  data_since: Generated<string>;
  /** What it reads, writes and acts on by the word of whoever enabled it, as JSON; empty: nobody has noted it. */
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
  /** Which fields are searched and unique, as JSON; empty: nobody has noted it. */
  indexed: Generated<string>;
}

interface ModuleUniqueTable {
  module_id: string;
  resource: string;
  field: string;
  value: string;
  record_id: number;
}

/** How much lies under one `module_id`. Only triggers write it. */
interface ModuleSizeTable {
  module_id: string;
  bytes: number;
}

/** Which modules are on, and what they keep. */
export interface ModuleTables {
  modules: ModuleTable;
  module_values: ModuleValueTable;
  module_records: ModuleRecordTable;
  module_resources: ModuleResourceTable;
  module_unique: ModuleUniqueTable;
  module_sizes: ModuleSizeTable;
}
