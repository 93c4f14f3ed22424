/** Whether a member takes calls of a queue (contract 27.18). */
export const MEMBER_STATES = ['in', 'out', 'paused'] as const;
export type MemberState = (typeof MEMBER_STATES)[number];

export const isMemberState = (text: string): text is MemberState =>
  (MEMBER_STATES as readonly string[]).includes(text);
