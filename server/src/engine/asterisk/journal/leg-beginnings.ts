import type { JournalLine } from './journal-line.ts';
import { accountOf, type LegState, type PartyState } from './leg.ts';

type Beginning = Pick<LegState, 'id' | 'linkedId' | 'startedAt' | 'source'>;

const NOBODY: LegState['destination'] = { number: '', name: '', channelId: '', channel: '', callId: '' };

/** How every leg begins: nobody rung yet, and only the caller known. */
export const blankLeg = ({ id, linkedId, startedAt, source }: Beginning): LegState => ({
  id,
  linkedId,
  startedAt,
  answeredAt: null,
  source,
  destination: { ...NOBODY },
  did: '',
  fromProvider: '',
  toProvider: '',
  dtmfDigits: '',
  isTransfer: false,
});

/** Two parties who talked to the same third one now talk to each other. */
export const joinedLeg = (
  source: PartyState,
  target: PartyState,
  linkedId: string,
  at: number,
): LegState => ({
  // The same two may be connected twice.
  ...blankLeg({ id: `${target.channelId}-${at}t`, linkedId, startedAt: at, source }),
  answeredAt: at,
  destination: { ...target },
  did: source.did,
  fromProvider: source.provider,
  toProvider: target.provider,
  isTransfer: true,
});

/** The leg as described by the line that begins it. */
export function begunLeg(
  { fields, linkedId, at }: JournalLine,
  source: PartyState,
  toName: string,
): LegState {
  const [id = '', , , number = ''] = fields;
  const [from = '', to = '', did = '', transfer = '', , application = ''] = fields.slice(5);
  return {
    ...blankLeg({ id, linkedId, startedAt: at, source }),
    destination: { ...NOBODY, number, name: toName, channel: applicationChannel(application, number) },
    did,
    fromProvider: from,
    toProvider: to,
    isTransfer: transfer === '1',
    application,
  };
}

/** Stands where other legs have the channel of the callee (contract 29.1). */
function applicationChannel(application: string, number: string): string {
  if (application === '') return '';
  return application === 'queue' ? `Queue:${number}` : `App:${number || application}`;
}

/** The phones of an employee ring for a call that was ordered for him. */
export function originLeg({ fields, linkedId, at }: JournalLine, source: PartyState): LegState {
  const [id = '', , , number = '', name = ''] = fields;
  return {
    ...blankLeg({ id, linkedId, startedAt: at, source }),
    destination: { ...NOBODY, number, name },
    isOrigin: true,
  };
}

/** A leg made from what the channel names reveal. */
export function unannouncedLeg(id: string, line: JournalLine, source: PartyState): LegState {
  const { number, provider } = accountOf(line.channel);
  return {
    ...blankLeg({ id, linkedId: line.linkedId, startedAt: line.at, source }),
    destination: { ...NOBODY, number },
    did: source.did,
    fromProvider: source.provider,
    toProvider: provider,
  };
}
