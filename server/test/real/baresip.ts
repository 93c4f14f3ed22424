import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingProgram } from './bouncer.ts';
import { startProcess } from './running-process.ts';
import { readSound, type Sound, toneWav } from './tone.ts';

export const findBaresip = (): boolean => !missingProgram('baresip');

type EventType =
  | 'REGISTER_OK'
  | 'REGISTER_FAIL'
  | 'CALL_INCOMING'
  | 'CALL_RINGING'
  | 'CALL_PROGRESS'
  | 'CALL_ESTABLISHED'
  | 'CALL_CLOSED'
  | 'CALL_DTMF_START';

interface PhoneEvent {
  readonly type: string;
  readonly param?: string;
  /** Call-ID. */
  readonly id?: string;
  readonly peeruri?: string;
  readonly peerdisplayname?: string;
}

/** A desk phone: baresip without a user interface, on its own loopback address. */
export interface Phone {
  readonly number: string;
  readonly address: string;
  /** Every event so far. */
  readonly events: readonly PhoneEvent[];
  /** Every SIP message so far, as text lines. */
  readonly trace: readonly string[];
  /** Waits for the next event of this type that no earlier call returned. */
  next(type: EventType): Promise<PhoneEvent>;
  dial(number: string): Promise<void>;
  answer(): Promise<void>;
  /** Ends a call; refuses one that is still ringing here as busy. */
  hangUp(): Promise<void>;
  hold(): Promise<void>;
  resume(): Promise<void>;
  /** Selects the call on this line (from 1) for the next commands. */
  line(number: number): Promise<void>;
  press(digits: string): Promise<void>;
  /** Blind transfer of the other party to a number (REFER). */
  transfer(target: string): Promise<void>;
  /** Attended transfer: connects the party on this line with the one called at `target`, answered or not (Replaces). */
  join(line: number, target: string): Promise<void>;
  /** The sound heard in its last call, which must be over. */
  heard(): Promise<Sound>;
  /** Unregisters and ends. */
  leave(): Promise<void>;
  /** Ends without sending anything, as when the plug is pulled. */
  unplug(): Promise<void>;
}

export interface PhoneOptions {
  readonly number: string;
  readonly secret: string;
  readonly address: string;
  /** `host` or `host:port` of the exchange. */
  readonly server: string;
  readonly transport?: 'udp' | 'tcp' | 'tls';
  /** The tone it sends all the time. */
  readonly hz?: number;
  readonly answersAtOnce?: boolean;
  readonly displayName?: string;
  /** False for a phone that only makes calls. */
  readonly registers?: boolean;
  readonly encryptsMedia?: boolean;
}

const CONTROL_PORT = 4444;

/** Resolves when its registration has succeeded or failed; `events` says which. */
export async function startPhone(options: PhoneOptions): Promise<Phone> {
  const { number, address, registers = true } = options;
  const folder = await mkdtemp(join(tmpdir(), 'pbxcore-phone-'));
  await writeFile(join(folder, 'tone.wav'), toneWav(options.hz ?? 440, 60));
  await writeFile(join(folder, 'config'), configText(folder, options));
  await writeFile(join(folder, 'accounts'), '');
  await writeFile(join(folder, 'contacts'), '');
  const program = startProcess('baresip', ['-f', folder, '-s'], { env: { HOME: folder } });
  await program.said(/baresip is ready/);
  const socket = connect(CONTROL_PORT, address);
  await once(socket, 'connect');
  const control = createControl(socket);

  let last = 0;
  async function order(command: string, params = ''): Promise<void> {
    const token = String(++last);
    const answered = control.answer(token);
    const text = JSON.stringify({ command, params, token });
    socket.write(`${Buffer.byteLength(text)}:${text},`);
    await answered;
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    socket.destroy();
    await program.stop(signal);
    await rm(folder, { recursive: true, force: true });
  }

  // Only now, so that none of its events is missed.
  await order('uanew', accountText(options));
  if (registers) await control.next(['REGISTER_OK', 'REGISTER_FAIL']);
  return {
    number,
    address,
    events: control.events,
    trace: program.lines,
    next: (type) => control.next([type]),
    dial: (target) => order('dial', target),
    answer: () => order('accept'),
    hangUp: () => order('hangup'),
    hold: () => order('hold'),
    resume: () => order('resume'),
    line: (n) => order('line', String(n)),
    press: (digits) => order('sndcode', digits),
    transfer: (target) => order('transfer', target),
    async join(line, target) {
      await order('line', String(line));
      await order(
        'transfer',
        `<sip:${target}@${options.server}?Replaces=${replaced(program.lines, target)}>`,
      );
    },
    async heard() {
      const files = await readdir(folder);
      const last = files
        .filter((name) => name.endsWith('-dec.wav'))
        .sort()
        .at(-1);
      if (!last) throw new Error(`${number} heard nothing`);
      return readSound(join(folder, last));
    },
    leave: () => end('SIGTERM'),
    unplug: () => end('SIGKILL'),
  };
}

/** The dialog of the last call to this number that rang or was answered, as a Replaces header names it (RFC 3891). */
function replaced(trace: readonly string[], target: string): string {
  const messages = trace.flatMap((line, i) =>
    /^SIP\/2\.0 (?:180|200) /.test(line) ? trace.slice(i, i + 12).join('\n') : [],
  );
  const message = messages.findLast(
    (text) => /^CSeq: \d+ INVITE/m.test(text) && new RegExp(`^To: .*sip:${target}@`, 'm').test(text),
  );
  const [, callId] = /^Call-ID: (\S+)/m.exec(message ?? '') ?? [];
  const [, from] = /^From: .*tag=([^;\s]+)/m.exec(message ?? '') ?? [];
  const [, to] = /^To: .*tag=([^;\s]+)/m.exec(message ?? '') ?? [];
  return encodeURIComponent(`${callId};to-tag=${to};from-tag=${from}`);
}

function createControl(socket: Socket) {
  const events: PhoneEvent[] = [];
  const taken = new Set<PhoneEvent>();
  const watchers = new Set<() => void>();
  const answers = new Map<string, () => void>();
  let rest = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let message = cut(); message !== undefined; message = cut()) take(JSON.parse(message));
  });

  /** One netstring, `<length>:<text>,`. */
  function cut(): string | undefined {
    const colon = rest.indexOf(':');
    if (colon < 0) return undefined;
    const end = colon + 1 + Number(rest.toString('latin1', 0, colon));
    if (rest.length <= end) return undefined;
    const text = rest.toString('utf8', colon + 1, end);
    rest = rest.subarray(end + 1);
    return text;
  }

  function take(message: PhoneEvent & { response?: boolean; token?: string }): void {
    if (message.response) answers.get(message.token ?? '')?.();
    else events.push(message);
    for (const watcher of [...watchers]) watcher();
  }

  return {
    events,
    answer: (token: string) => new Promise<void>((resolve) => answers.set(token, resolve)),
    next(types: readonly string[]): Promise<PhoneEvent> {
      return new Promise((resolve, reject) => {
        const finish = (event: PhoneEvent | undefined) => {
          clearTimeout(timer);
          watchers.delete(look);
          if (event) resolve(event);
          else reject(new Error(`no ${types} but ${JSON.stringify(events)}`));
        };
        const look = () => {
          const event = events.find((known) => types.includes(known.type) && !taken.has(known));
          if (event) finish(event);
          if (event) taken.add(event);
        };
        const timer = setTimeout(() => finish(undefined), 30_000);
        watchers.add(look);
        look();
      });
    },
  };
}

function configText(folder: string, { address, encryptsMedia }: PhoneOptions): string {
  return [
    'poll_method epoll',
    `sip_listen ${address}:5060`,
    'call_local_timeout 120',
    'call_max_calls 4',
    // The folder contains no ring tones.
    `audio_path ${folder}`,
    `audio_source aufile,${folder}/tone.wav`,
    'ausrc_srate 8000',
    'auplay_srate 8000',
    'ausrc_channels 1',
    'auplay_channels 1',
    'rtp_ports 20000-20999',
    'jitter_buffer_delay 1-10',
    `net_interface ${address}`,
    'module_path /usr/lib/baresip/modules',
    'module g711.so',
    'module aufile.so',
    // Records the sound sent and received.
    'module sndfile.so',
    `snd_path ${folder}`,
    'module uuid.so',
    ...(encryptsMedia ? ['module srtp.so'] : []),
    'module_tmp account.so',
    'module_app contact.so',
    'module_app menu.so',
    'module_app ctrl_tcp.so',
    `ctrl_tcp_listen ${address}:${CONTROL_PORT}`,
    'ringback_disabled yes',
    '',
  ].join('\n');
}

function accountText(options: PhoneOptions): string {
  const { number, secret, server, transport = 'udp', displayName, registers = true } = options;
  const parameters = [
    `auth_user=${number}`,
    `auth_pass=${secret}`,
    `regint=${registers ? 60 : 0}`,
    'audio_codecs=PCMU',
    ...(options.answersAtOnce ? ['answermode=auto'] : []),
    ...(options.encryptsMedia ? ['mediaenc=srtp-mand'] : []),
  ];
  const name = displayName ? `"${displayName}" ` : '';
  return `${name}<sip:${number}@${server};transport=${transport}>;${parameters.join(';')}`;
}
