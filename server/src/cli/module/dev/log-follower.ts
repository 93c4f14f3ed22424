import { setTimeout as wait } from 'node:timers/promises';
import { ServiceAway, type ServiceCall } from '../../service-client.ts';
import { at } from '../installed-module.ts';
import { following, type LogLine, linesWithStack } from '../log-text.ts';

const LOOK_MS = 500;
const LINES = 1_000;

interface FollowerParts {
  readonly call: ServiceCall;
  readonly id: string;
  readonly say: (line: string) => void;
  /** Called when the service answers again. */
  readonly onBack: () => void;
}

/** Shows what a module logs, and what is logged about it, from now on. */
export async function createLogFollower({ call, id, say, onBack }: FollowerParts) {
  const read = async () => (await call<LogLine[]>('GET', `${at(id)}:getLog?lines=${LINES}`)).data;
  let seen = await read();
  let isAway = false;
  let turn: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    try {
      const lines = await read();
      const fresh = following(seen, lines);
      seen = lines;
      if (isAway) say('the service answers again');
      if (isAway) onBack();
      isAway = false;
      for (const line of fresh.filter(isNews)) for (const text of linesWithStack(line)) say(text);
    } catch (error) {
      if (!(error instanceof ServiceAway)) throw error;
      if (!isAway) say(error.message);
      isAway = true;
    }
  }

  return {
    /** Shows new lines. */
    look(): Promise<void> {
      turn = turn.then(look);
      return turn;
    },

    async follow(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await wait(LOOK_MS, undefined, { signal }).catch(() => {});
        if (!signal.aborted) await this.look();
      }
    },
  };
}

/** A reload is reported elsewhere; that the exchange gave the module up is reported here. */
const isNews = ({ fields }: LogLine): boolean =>
  fields.by === undefined || fields.reason === 'DisabledByCrashLoop';
