import Type from 'typebox';
import { enveloped } from '../../../http/answer.ts';
import { type Resource, type Route, reads, route } from '../../../http/route.ts';
import { EngineAway } from '../../../lib/errors.ts';
import { isoWithOffset } from '../../../lib/local-time.ts';
import { activeCalls, activeChannels } from './active-calls.ts';
import type { Board, StatusBoard } from './status-board.ts';

export const pbxStatusResource: Resource = {
  path: '/api/v3/pbx-status',
  label: 'PBX Status',
  description: 'Calls under way',
  levels: ['read'],
};

const parties = {
  start: Type.String(),
  answer: Type.String({ description: 'Empty while it rings' }),
  src_num: Type.String(),
  src_name: Type.String(),
  dst_num: Type.String(),
  dst_name: Type.String(),
  did: Type.String(),
  linkedid: Type.String(),
};
const ActiveCall = Type.Object(
  { ...parties, endtime: Type.Literal('', { description: 'Always empty: the call is not over' }) },
  { $id: 'ActiveCall' },
);
const ActiveChannel = Type.Object(
  { ...parties, src_chan: Type.String(), dst_chan: Type.String() },
  { $id: 'ActiveChannel' },
);

export function pbxStatusRoutes({ board, timezone }: { board: StatusBoard; timezone: string }): Route[] {
  const access = reads(pbxStatusResource);

  async function known(): Promise<Board> {
    const read = await board.read();
    // Better no answer than a wrong one (contract 6, 17.14).
    if (read.engine === 'lost' || read.awaySince !== undefined)
      throw new EngineAway('the telephony engine cannot be reached');
    return read;
  }

  const answered = (data: unknown, { asOf }: Board) =>
    enveloped(data, { meta: { asOf: isoWithOffset(asOf, timezone) } });

  return [
    route({
      method: 'GET',
      path: '/pbx-status:getActiveCalls',
      function: 'getActiveCalls',
      access,
      summary: 'Calls under way, by start time',
      description: '503 while the telephony engine is unavailable; empty when there is no engine.',
      answer: Type.Array(ActiveCall),
      async handle() {
        const read = await known();
        return answered(activeCalls(read.legs.values(), timezone), read);
      },
    }),
    route({
      method: 'GET',
      path: '/pbx-status:getActiveChannels',
      function: 'getActiveChannels',
      access,
      summary: 'Legs of the calls under way, by start time',
      description: '503 while the telephony engine is unavailable; empty when there is no engine.',
      answer: Type.Array(ActiveChannel),
      async handle() {
        const read = await known();
        return answered(activeChannels(read.legs.values(), timezone), read);
      },
    }),
  ];
}
