import { readConfig } from '../config.ts';
import { apiKeyFields } from '../features/access/api-keys/api-keys.schema.ts';
import { inputOf } from '../features/access/api-keys/api-keys.service.ts';
import { partly, readFields } from '../http/fields.ts';
import { describeOptions, optionDetails, optionFlags, sentOptions } from './bouncer-option-flags.ts';
import { command, printJson, printWarning, UsageError } from './command.ts';
import { openDatabase } from './database.ts';

const usage = 'api-key options ID [--client NAME] [--bouncer-option NAME=VALUE …] [--json]';

export const apiKeyOptions = command({
  usage,
  summary: 'Show or change the format in which a key receives bans; takes effect at its next poll',
  details: [...optionDetails, '  --json            print JSON, for scripts'].join('\n'),
  operands: ['ID'],
  options: { ...optionFlags, json: { type: 'boolean' } },
  async run(values, [id = '']) {
    const refuse = (reason: string) => new UsageError(reason, usage);
    if (!/^\d{1,9}$/.test(id)) throw refuse('ID must be a number from `pbxcore api-key list`');
    const sent = sentOptions(values, refuse);
    const { client, bouncer_options } = partly(apiKeyFields);
    const { values: changes } = readFields({ client, bouncer_options }, sent);
    await using database = await openDatabase({ config: readConfig() });
    let row = await database.keys.find(id);
    if (Object.keys(sent).length > 0) {
      const changed = await database.keys.update(row.id, changes);
      for (const warning of changed.warnings) printWarning(warning);
      row = changed.row;
    }
    const key = inputOf(row);
    if (values.json) printJson({ id, client: key.client, bouncer_options: key.bouncer_options });
    else console.log(`API key ${id} "${row.description}": ${describeOptions(key) || 'as specified'}`);
    return 0;
  },
});
