import type { ActiveLeg } from '../../src/engine/engine.ts';

export const NOON = Date.UTC(2026, 4, 4, 10, 0, 0, 250);

/** An active call that has been ringing since noon, for the fake engine. */
export const activeLeg = (id: string, fields: Partial<ActiveLeg> = {}): ActiveLeg => ({
  id,
  linkedId: id,
  startedAt: NOON,
  answeredAt: null,
  source: { channel: `PJSIP/201-${id}`, number: '201', name: 'Ann' },
  destination: { channel: `PJSIP/202-${id}`, number: '202', name: 'Ben' },
  did: '',
  ...fields,
});
