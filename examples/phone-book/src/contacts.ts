import {
  action,
  answer,
  type Call,
  type Context,
  create,
  type FieldDescriptions,
  invalid,
  type JsonObject,
  notFound,
  type RecordStore,
  resource,
  update,
} from '@pbxcore/module';
import { COLUMNS, importContacts } from './contacts-import.js';
import { guarded, writeCsv } from './csv.js';
import { createDirectory, type Directory } from './directory.js';

const fields = {
  name: { type: 'string', required: true, min: 1, max: 100, search: true },
  number: {
    type: 'string',
    required: true,
    min: 1,
    max: 40,
    unique: true,
    search: true,
    description: 'Written in any way; kept and answered as +493012345',
  },
  company: { type: 'string', max: 100, default: '', search: true },
  note: { type: 'string', max: 1000, default: '', multiline: true },
} as const satisfies FieldDescriptions;

const number = { type: 'string', required: true, min: 1, max: 40 } as const;
const part = {
  from: { type: 'integer', min: 1, default: 1, description: 'Place of the first one' },
  count: { type: 'integer', min: 1, max: 1_000_000, default: 1_000_000 },
} as const;

/** The largest answer of a module. */
const MAX_EXPORT = 4 * 1024 * 1024;

@resource({
  path: '/pbxcore/api/v3/module-phone-book/contacts',
  permission: 'phone_book',
  label: 'Phone book',
  description: 'Names for telephone numbers',
  channels: ['bearer_token'],
  id: '\\d+',
  fields,
  stored: true,
})
export class Contacts {
  readonly #records: RecordStore;
  readonly #directory: Directory;

  constructor(context: Context) {
    this.#records = context.records('contacts');
    this.#directory = createDirectory(context);
  }

  @create({ summary: 'Add a contact' })
  add({ body }: Call) {
    return this.#records.create({ ...body, number: this.#needed(body.number) });
  }

  @update({ summary: 'Change a contact' })
  async change({ id, body }: Call) {
    const written = 'number' in body ? { ...body, number: this.#needed(body.number) } : body;
    return (await this.#records.update(id, written)) ?? missing(id);
  }

  @action({ verb: 'GET', query: { number }, summary: 'Find the contact with this number' })
  async lookup({ query }: Call) {
    return (await this.#directory.find(query.number)) ?? missing(query.number);
  }

  @action({ verb: 'POST', csv: true, name: 'import', summary: 'Add and change contacts from CSV' })
  importCsv({ body }: Call) {
    return importContacts(this.#records, body.csv, this.#directory.normalise);
  }

  @action({ verb: 'GET', name: 'export', query: part, summary: 'Contacts as CSV, all or some' })
  async exportCsv({ query }: Call) {
    let csv = writeCsv([[...COLUMNS]]);
    let place = 0;
    let count = 0;
    for await (const contact of this.#records.each()) {
      if (++place < query.from) continue;
      if (count === query.count) break;
      csv += writeCsv([COLUMNS.map((column) => cellOf(contact, column))]);
      if (csv.length > MAX_EXPORT)
        throw invalid(`count: more than 4 MiB, ask for ${count} at a time (from and count)`);
      count++;
    }
    return answer.text(csv, { contentType: 'text/csv', download: 'phone-book.csv' });
  }

  #needed(written: string): string {
    const found = this.#directory.normalise(written);
    if (found === undefined) throw invalid(`number: "${written}" is not a telephone number`);
    return found;
  }
}

function cellOf(contact: JsonObject, column: (typeof COLUMNS)[number]): string {
  const text = String(contact[column] ?? '');
  return column === 'number' ? text : guarded(text);
}

function missing(what: string): never {
  throw notFound(`contact ${what} not found`);
}
