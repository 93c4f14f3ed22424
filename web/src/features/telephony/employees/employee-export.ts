import { api } from '../../../api/api.ts';
import { download } from '../../../ui/download.ts';

export const FORMATS = ['minimal', 'standard', 'full'] as const;
export type Format = (typeof FORMATS)[number];

/** Records of a CSV file; a quoted cell may contain line breaks. */
function csvRecords(csv: string): string[] {
  return csv.match(/(?:"(?:[^"]|"")*"|[^"\r\n])+(?:\r\n|\n|$)/g) ?? [];
}

/** The service exports a range of numbers; only the chosen ones are kept. */
export async function exportEmployees(format: Format, numbers?: readonly string[]): Promise<void> {
  const values = numbers?.map(Number) ?? [];
  const filter = { number_from: Math.min(...values), number_to: Math.max(...values) };
  const response = await api.employees.export({ format, ...(numbers && { filter }) });
  if (!numbers) return download('employees.csv', await response.blob());
  const [header = '', ...records] = csvRecords(await response.text());
  const chosen = records.filter((record) => numbers.includes(record.split(',')[0]?.trim() ?? ''));
  download('employees.csv', new Blob([header, ...chosen], { type: 'text/csv' }));
}
