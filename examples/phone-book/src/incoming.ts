import { type CallFacts, type Context, list, resource } from '@pbxcore/module';
import { createDirectory } from './directory.js';

const KEPT = 100;

interface IncomingCall {
  readonly linkedid: string;
  readonly start: string;
  readonly number: string;
  name: string;
  readonly did: string;
  state: 'ringing' | 'answered' | 'ended' | 'missed';
}

/** The latest calls from outside with callers' names, newest first, for display on a screen beside the telephone. */
@resource({
  path: '/pbxcore/api/v3/module-phone-book/incoming',
  permission: 'phone_book_incoming',
  label: 'Incoming calls with names',
  channels: ['bearer_token'],
})
export class Incoming {
  readonly #calls: IncomingCall[] = [];

  constructor(context: Context) {
    const directory = createDirectory(context);
    context.on('call-started', async (call) => {
      if (call.direction !== 'incoming') return;
      const { linkedid, src_num: number, src_name: name, did } = call;
      const start = new Date(call.start).toISOString();
      const shown: IncomingCall = { linkedid, start, number, name, did, state: 'ringing' };
      this.#calls.unshift(shown);
      this.#calls.length = Math.min(this.#calls.length, KEPT);
      // Last: the call may be answered before its caller is found.
      shown.name = (await directory.nameOf(number)) ?? name;
    });
    context.on('call-answered', (call) => this.#became(call, 'answered'));
    context.on('call-ended', (call) => this.#became(call, 'ended'));
    // Arrives after `call-ended`, so it decides.
    context.on('call-missed', (call) => this.#became(call, 'missed'));
  }

  @list({ summary: 'The latest incoming calls, newest first' })
  latest() {
    return this.#calls;
  }

  #became({ linkedid }: CallFacts, state: IncomingCall['state']): void {
    const call = this.#calls.find((known) => known.linkedid === linkedid);
    if (call && call.state !== 'missed') call.state = state;
  }
}
