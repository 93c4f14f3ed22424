import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineBundle, requireBundle } from './engine-bundle.ts';
import { type RunningProcess, startProcess } from './running-process.ts';

/** An Asterisk configured by hand, independent of the product: a provider, or the baseline for benchmarks. */
export interface PlainAsterisk {
  readonly process: RunningProcess;
  readonly address: string;
  /** Starts a call through a file in its spool folder. */
  originate(call: OutgoingCall): Promise<void>;
  stop(): Promise<void>;
}

interface OutgoingCall {
  /** `PJSIP/number@endpoint`. */
  readonly channel: string;
  readonly callerId: string;
  /** Where the call continues once answered. */
  readonly context: string;
  readonly extension: string;
}

interface PlainAsteriskOptions {
  readonly address: string;
  readonly pjsip: string;
  readonly extensions: string;
  readonly rtp?: { readonly from: number; readonly to: number };
  /** Writes one line per call into its log folder, its simplest kind of record. */
  readonly keepsRecords?: boolean;
  /** Modules to load besides the default ones. */
  readonly modules?: readonly string[];
  /** Further configuration files, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Command prefix. */
  readonly within?: readonly string[];
}

const MODULES = [
  'app_dial app_mixmonitor app_playtones app_stack app_verbose bridge_builtin_features bridge_native_rtp bridge_simple',
  'chan_pjsip codec_alaw codec_ulaw format_wav format_pcm func_callerid func_channel func_strings pbx_config pbx_spool',
  'res_pjproject res_pjsip res_pjsip_authenticator_digest res_pjsip_caller_id res_pjsip_endpoint_identifier_ip',
  'res_pjsip_endpoint_identifier_user res_pjsip_nat res_pjsip_registrar res_pjsip_refer res_pjsip_rfc3326',
  'res_pjsip_sdp_rtp res_pjsip_session res_rtp_asterisk res_sorcery_astdb res_sorcery_config res_sorcery_memory',
  'res_pjsip_pubsub res_timing_timerfd',
]
  .join(' ')
  .split(' ');

export async function startPlainAsterisk(options: PlainAsteriskOptions): Promise<PlainAsterisk> {
  const bundle = requireBundle();
  const folder = await mkdtemp(join(tmpdir(), 'pbxcore-asterisk-'));
  const etc = join(folder, 'etc');
  for (const name of ['etc', 'lib', 'spool/outgoing', 'spool/tmp', 'run', 'log/cdr-csv', 'monitor']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  for (const [name, text] of Object.entries(filesOf(folder, bundle, options))) {
    await writeFile(join(etc, name), text);
  }
  const [program = '', ...first] = [
    ...(options.within ?? []),
    ...bundle.words,
    ...['-C', join(etc, 'asterisk.conf')],
  ];
  const running = startProcess(program, [...first, '-f', '-n']);
  await running.said(/Asterisk Ready/);
  let calls = 0;
  return {
    process: running,
    address: options.address,
    async originate({ channel, callerId, context, extension }) {
      const name = `${++calls}.call`;
      const lines = { Channel: channel, CallerID: callerId, Context: context, Extension: extension };
      // An unescaped semicolon would begin a comment.
      const text = Object.entries(lines).map(([key, value]) => `${key}: ${value.replaceAll(';', '\\;')}\n`);
      await writeFile(join(folder, 'spool', 'tmp', name), text.join(''));
      // Asterisk reads the file at once, so it must appear complete.
      await rename(join(folder, 'spool', 'tmp', name), join(folder, 'spool', 'outgoing', name));
    },
    async stop() {
      await running.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function filesOf(folder: string, bundle: EngineBundle, options: PlainAsteriskOptions) {
  const { from, to } = options.rtp ?? { from: 10_000, to: 10_999 };
  const modules = [...MODULES, ...(options.modules ?? []), ...(options.keepsRecords ? ['cdr_csv'] : [])];
  return {
    'asterisk.conf': `[directories]
astetcdir => ${folder}/etc
astmoddir => ${bundle.modulesDir}
astvarlibdir => ${folder}/lib
astdbdir => ${folder}/lib
astkeydir => ${folder}/lib
astdatadir => ${bundle.shareDir}
astagidir => ${folder}/lib
astspooldir => ${folder}/spool
astrundir => ${folder}/run
astlogdir => ${folder}/log
[options]
systemname = plain
`,
    'logger.conf': '[general]\n[logfiles]\nconsole => notice,warning,error,verbose\n',
    'modules.conf': `[modules]\nautoload=no\n${modules.map((name) => `load=${name}.so\n`).join('')}`,
    'manager.conf': '[general]\nenabled=no\n',
    'http.conf': '[general]\nenabled=no\n',
    'rtp.conf': `[general]\nrtpstart=${from}\nrtpend=${to}\n`,
    'cdr.conf': options.keepsRecords
      ? '[general]\nenable=yes\nunanswered=yes\n[csv]\nloguniqueid=yes\n'
      : '[general]\nenable=no\n',
    'pjsip.conf': options.pjsip,
    'extensions.conf': options.extensions,
    ...options.files,
  };
}
