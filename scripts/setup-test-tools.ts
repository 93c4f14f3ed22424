// Finds the real servers, clients and tools that tests (and with --bench benchmarks) run against, and installs missing
// ones if apt and the right to use it are available. Nothing it installs stays running or enabled.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BUNDLE_DIR } from '../server/test/real/engine-bundle.ts';

type Part = { name: string; packages: string[]; command: string; tests: string; services?: string[] };

const parts: Part[] = [
  {
    name: 'Redis',
    packages: ['redis-server'],
    command: 'redis-server',
    tests:
      'everything on Redis: the TTL store suite, the API suite on PostgreSQL + Redis, fault runs, bouncers',
    services: ['redis-server'],
  },
  {
    name: 'PostgreSQL',
    packages: ['postgresql'],
    command: 'postgres',
    tests: 'everything on PostgreSQL: the SQL store suite, the API suite on PostgreSQL + Redis, fault runs',
    services: ['postgresql'],
  },
  {
    name: 'firewall bouncer',
    packages: ['crowdsec-firewall-bouncer'],
    command: 'crowdsec-firewall-bouncer',
    tests: 'the stock firewall bouncer in nftables and iptables mode',
    services: ['crowdsec-firewall-bouncer'],
  },
  {
    name: 'custom bouncer',
    packages: ['crowdsec-custom-bouncer'],
    command: 'crowdsec-custom-bouncer',
    tests: 'the stock custom bouncer, and the sample built on it',
    services: ['crowdsec-custom-bouncer'],
  },
  {
    name: 'nftables',
    packages: ['nftables'],
    command: 'nft',
    tests: 'the firewall bouncer in nftables mode',
  },
  { name: 'ipset', packages: ['ipset'], command: 'ipset', tests: 'the firewall bouncer in iptables mode' },
  {
    name: 'iptables',
    packages: ['iptables'],
    command: 'iptables',
    tests: 'the firewall bouncer in iptables mode',
  },
  { name: 'iproute2', packages: ['iproute2'], command: 'ip', tests: 'everything in a network namespace' },
  {
    name: 'sqlite3',
    packages: ['sqlite3'],
    command: 'sqlite3',
    tests: 'the SQLite of the distribution as another writer of call records',
  },
  {
    name: 'Python',
    packages: ['python3'],
    command: 'python3',
    tests: 'the Python of the distribution as another writer of call records',
  },
  { name: 'curl', packages: ['curl'], command: 'curl', tests: 'the commands of docs/modules.md' },
  {
    name: 'baresip',
    packages: ['baresip-core'],
    command: 'baresip',
    tests: 'everything on the real telephony engine: phones that talk',
  },
  {
    name: 'sipp',
    packages: ['sip-tester'],
    command: 'sipp',
    tests: 'everything on the real telephony engine: many phones at once',
  },
  {
    name: 'sipvicious',
    packages: ['sipvicious'],
    command: 'svcrack',
    tests: 'attacks on the real telephony engine',
  },
  {
    name: 'Chromium',
    packages: ['chromium-headless-shell'],
    command: 'chromium-headless-shell',
    tests: 'the pages in a real browser',
  },
];
const benchParts: Part[] = [
  {
    name: 'CrowdSec LAPI',
    packages: ['crowdsec'],
    command: 'crowdsec',
    tests: 'the comparison with the CrowdSec LAPI',
    services: ['crowdsec'],
  },
  { name: 'wrk', packages: ['wrk'], command: 'wrk', tests: 'load from wrk' },
];

const policyFile = '/usr/sbin/policy-rc.d';
const centralApiFile = '/etc/crowdsec/online_api_credentials.yaml';

function isInstalled({ command }: Part): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];
  // Debian keeps the server's programs out of the PATH.
  if (command === 'postgres') folders.push(...globSync('/usr/lib/postgresql/*/bin'));
  return folders.some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function run(argv: string[], { input = '', quiet = false } = {}): Promise<number> {
  const [command = '', ...args] = argv;
  return new Promise((resolve) => {
    const output = quiet ? 'ignore' : 'inherit';
    const child = spawn(command, args, { stdio: ['pipe', output, output] });
    child.on('error', () => resolve(127));
    child.on('close', (code) => resolve(code ?? 1));
    child.stdin?.on('error', () => {}); // a command that reads no input
    child.stdin?.end(input);
  });
}

/** The prefix for commands that need root, or why there is none. */
async function findRights(): Promise<{ prefix: string[] } | { missing: string }> {
  if (!existsSync('/usr/bin/apt-get')) return { missing: 'this machine has no apt-get' };
  if (process.getuid?.() === 0) return { prefix: [] };
  if ((await run(['sudo', '-n', 'true'], { quiet: true })) === 0) return { prefix: ['sudo', '-n'] };
  return { missing: 'apt-get needs root, and there is no sudo without password here' };
}

async function install(missing: Part[], prefix: string[]): Promise<void> {
  const asRoot = (argv: string[], input = '') =>
    run([...prefix, ...argv], { input, quiet: argv[0] !== 'env' });
  const apt = (...args: string[]) =>
    asRoot([
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-q',
      '-o',
      'DPkg::Lock::Timeout=300',
      ...args,
    ]);
  const packages = missing.flatMap((part) => part.packages);

  // Without a policy the packages would start their services; an administrator's own policy stays as it is.
  const ownPolicy = !existsSync(policyFile);
  if (ownPolicy) {
    await asRoot(['tee', policyFile], '#!/bin/sh\nexit 101\n');
    await asRoot(['chmod', '755', policyFile]);
  }
  try {
    if (packages.includes('crowdsec') && !existsSync(centralApiFile)) {
      // With this file in place the package does not register the machine with the central API.
      await asRoot(['mkdir', '-p', '/etc/crowdsec']);
      await asRoot(['tee', centralApiFile], '# no central API: used by benchmarks only\n');
    }
    await apt('update');
    const options = ['install', '-y', '--no-install-recommends'];
    if ((await apt(...options, ...packages)) !== 0) {
      // A package that this release lacks must not prevent the others.
      for (const name of packages) await apt(...options, name);
    }
  } finally {
    if (ownPolicy) await asRoot(['rm', '-f', policyFile]);
  }
  const disable = existsSync('/run/systemd/system')
    ? (service: string) => ['systemctl', 'disable', '--now', service]
    : (service: string) => ['update-rc.d', service, 'disable'];
  for (const service of missing.flatMap((part) => part.services ?? [])) await asRoot(disable(service));
}

const wanted = process.argv.includes('--bench') ? [...parts, ...benchParts] : parts;
const absent = wanted.filter((part) => !isInstalled(part));
if (absent.length > 0) {
  const rights = await findRights();
  if ('prefix' in rights) {
    console.log(`Installing with apt: ${absent.flatMap((part) => part.packages).join(' ')}`);
    await install(absent, rights.prefix);
  }
  const still = absent.filter((part) => !isInstalled(part));
  if (still.length > 0) {
    const why = 'missing' in rights ? rights.missing : 'apt-get could not install it, see above';
    console.error('\n!!! MISSING PARTS: these tests will be SKIPPED');
    for (const { name, tests } of still) console.error(`!!!   ${name}: ${tests}`);
    console.error(`!!! Not installed because ${why}. By hand:`);
    console.error(
      `!!!   apt-get install --no-install-recommends ${still.flatMap((part) => part.packages).join(' ')}\n`,
    );
    // CI must not pass by leaving things out.
    if (process.env.CI) process.exitCode = 1;
  }
}

// One telephony engine for all tests, fetched by the product itself; an existing one stays as it is.
const fetchEngine = [
  process.execPath,
  join(import.meta.dirname, '../server/bin/pbxcore.js'),
  'engine',
  'fetch',
];
if ((await run(['env', `PBXCORE_ASTERISK_BUNDLE_DIR=${BUNDLE_DIR}`, ...fetchEngine])) !== 0) {
  console.error('\n!!! MISSING ENGINE: tests on the real telephony engine will be SKIPPED\n');
  if (process.env.CI) process.exitCode = 1;
}
