import { declareFields } from '@pbxcore/module/fields';
import type { CheckedResource, DescribedModule } from '../description/described-module.ts';
import type { ModuleData } from './module-data.ts';
import { createStoredRecords, type StoredRecords } from './stored-records.ts';

interface DeclaredParts {
  readonly data: Pick<ModuleData, 'isMoving' | 'rows' | 'published' | 'described'>;
  readonly warn: (text: string) => void;
}

/** The records that a module declares; each start declares them anew. */
export function createDeclaredRecords({ data, warn }: DeclaredParts) {
  const { isMoving, rows } = data;
  let declared: ReadonlyMap<string, StoredRecords> = new Map();
  let published: ReadonlyMap<string, StoredRecords> = new Map();

  /** While data are migrated, the module can still read records of an earlier version that it no longer declares. */
  function undeclared(name: string): StoredRecords | undefined {
    if (!isMoving()) return undefined;
    return createStoredRecords({ name, rows: () => rows(name), fields: declareFields({}, name), isMoving });
  }

  return {
    described(said: DescribedModule): void {
      const resources = said.generation === 3 ? said.resources.filter(({ stored }) => stored) : [];
      const requested = data.published();
      const all = (make: (name: string, fields: CheckedResource['fields']) => StoredRecords) =>
        new Map(resources.map(({ name, fields }) => [name, make(name, fields)]));
      declared = all((name, fields) =>
        createStoredRecords({ name, rows: () => rows(name), fields, isMoving, warn }),
      );
      published = all((name, fields) => createStoredRecords({ name, rows: () => requested(name), fields }));
      data.described(said, [...declared.values()]);
    },
    /** For the module itself. */
    of: (resource: string): StoredRecords | undefined => declared.get(resource) ?? undeclared(resource),
    /** For requests. */
    published: (resource: string): StoredRecords | undefined => published.get(resource),
  };
}
