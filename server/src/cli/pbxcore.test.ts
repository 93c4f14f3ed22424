import { afterEach, expect, test, vi } from 'vitest';
import { run } from './pbxcore.ts';

const said = { stdout: '', stderr: '' };
vi.spyOn(console, 'log').mockImplementation((line) => {
  said.stdout += `${line}\n`;
});
vi.spyOn(console, 'error').mockImplementation((line) => {
  said.stderr += `${line}\n`;
});
afterEach(() => {
  said.stdout = '';
  said.stderr = '';
});

const bouncerKey = ['api-key', 'create', '--description', 'x', '--preset', 'bouncer'];

test.each([
  { args: [], says: /a command is missing/ },
  { args: ['nonsense'], says: /"nonsense"/ },
  { args: ['bans'], says: /a command is missing\n[\s\S]*bans add IP/ },
  { args: ['bans', 'nonsense'], says: /"bans nonsense"/ },
  { args: ['bans', 'add', '203.0.113.7'], says: /--seconds is missing/ },
  { args: ['bans', 'list', '--unknown'], says: /--unknown/ },
  { args: ['bans', 'explain'], says: /IP is missing/ },
  { args: ['bans', 'lift', '203.0.113.7', 'extra'], says: /"extra"/ },
  { args: ['start', 'now'], says: /"now"/ },
  { args: ['engine'], says: /engine fetch[\s\S]*engine logs/ },
  { args: ['engine', 'logs', '--lines', '0'], says: /--lines must/ },
  { args: ['api-key', 'revoke', 'x'], says: /must be a number/ },
  { args: ['api-key', 'create', '--full'], says: /--description is missing/ },
  { args: ['api-key', 'create', '--description', 'x'], says: /what the key may do/ },
  { args: ['api-key', 'create', '--description', 'x', '--preset', 'y'], says: /only bouncer/ },
  { args: ['api-key', 'create', '--description', 'x', '--grant', '/api/v3/firewall'], says: /--grant must/ },
  { args: [...bouncerKey, '--full'], says: /already includes/ },
  { args: [...bouncerKey, '--allow-from', '300.1.1.1'], says: /--allow-from must/ },
  {
    args: [...bouncerKey, '--allow-from', '10.0.0.1', '--network-filter', '1'],
    says: /cannot be used together/,
  },
  { args: [...bouncerKey, '--url', 'pbx.example'], says: /--url must/ },
  {
    args: ['api-key', 'create', '--description', 'x', '--full', '--container-host'],
    says: /needs --preset bouncer/,
  },
  {
    args: ['api-key', 'create', '--description', 'x', '--full', '--client', 'php'],
    says: /need --preset bouncer/,
  },
  { args: [...bouncerKey, '--client', 'php', '--container-host'], says: /crowdsec-firewall-bouncer only/ },
  { args: [...bouncerKey, '--bouncer-option', 'one_per_address'], says: /--bouncer-option must/ },
  { args: ['api-key', 'options', 'x'], says: /must be a number/ },
])('$args is not understood: exit code 2, the reason and the usage', async ({ args, says }) => {
  expect(await run(args)).toBe(2);
  expect(said.stdout).toBe('');
  expect(said.stderr).toMatch(/^pbxcore: .+\nusage: pbxcore /);
  expect(said.stderr).toMatch(says);
});

test.each([
  { args: ['help'], says: /doctor \[--json\]/ },
  { args: ['--help'], says: /api-key revoke ID/ },
  { args: ['help', 'bans'], says: /bans explain IP/ },
  { args: ['bans', '--help'], says: /bans explain IP/ },
  { args: ['bans', 'add', '--help'], says: /--seconds {3}1 to 31536000/ },
  { args: ['--version'], says: /^\d+\.\d+\.\d+\n$/ },
])('$args shows help on standard output: exit code 0', async ({ args, says }) => {
  expect(await run(args)).toBe(0);
  expect(said.stderr).toBe('');
  expect(said.stdout).toMatch(says);
});

test('the summary of every command says what it does, as an imperative', async () => {
  await run(['help']);
  const summaries = said.stdout.match(/(?<=^ {6})\S.*$/gm) ?? [];
  expect(summaries.length).toBeGreaterThan(15);
  // A clause ("Why an address is blocked") or a list ("Every ban") does not say what the command does.
  expect(
    summaries.filter((text) => /^(Why|How|What|Which|Who|Whose|Whether|Every|The)\b/.test(text)),
  ).toEqual([]);
});
