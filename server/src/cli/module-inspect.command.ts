import { readConfig } from '../config.ts';
import { type ExaminedFigures, figureText } from '../doctor/modules.check.ts';
import { type Command, CommandFailed, command, printJson, printWarning, UsageError } from './command.ts';
import { at, endpointLine, type ModuleRecord, stateOf } from './module/installed-module.ts';
import { idOf } from './module/locate.ts';
import { type LogLine, lineText } from './module/log-text.ts';
import { withRunningService, withService } from './service-client.ts';
import { table } from './table.ts';

const json = { type: 'boolean' } as const;

interface Figures extends ExaminedFigures {
  readonly id: string;
}

const show = command({
  usage: 'module show ID [--json]',
  summary:
    'Show one module: state, settings, what it reads, changes and does, what it publishes, what it did',
  details: '  --json  print JSON, for scripts',
  options: { json },
  operands: ['ID'],
  async run(values, [given]) {
    const config = readConfig();
    const id = await idOf(config, given as string);
    const { module, figures } = await withService(config, async (call) => {
      const { data } = await call<ModuleRecord>('GET', at(id));
      const all = await call<Figures[]>('GET', '/modules:getFigures');
      return { module: data, figures: all.data.find((one) => one.id === id) };
    });
    if (values.json) printJson({ ...module, ...(figures && { figures }) });
    else console.log(table(rowsOf(module, figures)));
    return 0;
  },
});

function rowsOf(module: ModuleRecord, figures: Figures | undefined): string[][] {
  const { id, name, version, developer, description, reads, writes, acts, settings, endpoints } = module;
  const rows = [
    ['id', id],
    ['name', name],
    ['version', version],
    ['developer', developer],
    ['description', description],
    ['state', stateOf(module)],
    ['reads', reads.join(', ')],
    ['changes', writes.join(', ')],
    ['acts on calls', acts.join(', ')],
    ...several(
      'settings',
      Object.entries(settings).map(([key, value]) => `${key}=${valueText(value)}`),
    ),
    ...several('endpoints', endpoints.map(endpointLine)),
    ...(figures ? [['since the start of the service', figureText(figures)]] : []),
  ];
  return rows.filter(([, text]) => text !== '');
}

const several = (title: string, lines: readonly string[]): string[][] =>
  lines.map((line, index) => [index === 0 ? title : '', line]);

const valueText = (value: unknown): string =>
  value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const logsUsage = 'module logs ID [--lines N] [--level LEVEL] [--json]';
const logs = command({
  usage: logsUsage,
  summary: 'Show the last lines that a module logged, or that were logged about it',
  details: [
    '  --lines  number of lines; default 100, at most 1000',
    '  --level  this level and worse: debug, info, warn, error',
    '  --json   print JSON, for scripts',
  ].join('\n'),
  options: { lines: { type: 'string' }, level: { type: 'string' }, json },
  operands: ['ID'],
  async run({ lines = '100', level = 'trace', json: isJson }, [given]) {
    if (!/^\d{1,4}$/.test(lines) || Number(lines) < 1 || Number(lines) > 1000)
      throw new UsageError('--lines must be 1 to 1000', logsUsage);
    const config = readConfig();
    const id = await idOf(config, given as string);
    const query = `lines=${lines}&level=${encodeURIComponent(level)}`;
    const answer = await withRunningService(config, (call) =>
      call<LogLine[]>('GET', `${at(id)}:getLog?${query}`),
    );
    if (!answer)
      throw new CommandFailed(
        'the service is not running',
        'what it logged went to its standard output; the lines it kept in memory are gone',
      );
    if (isJson) printJson(answer.data);
    else for (const line of answer.data) console.log(lineText(line));
    if (answer.data.length === 0) printWarning(`nothing was logged by or about ${id}`);
    return 0;
  },
});

export const inspectCommands: readonly Command[] = [show, logs];
