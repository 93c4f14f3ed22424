/** Topics that can be followed (contract 30.2). */
export const TOPICS = [
  'calls',
  'extensions',
  'providers',
  'bans',
  'bouncers',
  'engine',
  'modules',
  'hours',
  'queues',
  'records',
] as const;
export type Topic = (typeof TOPICS)[number];

/** The path of the permission catalogue that a caller must be able to read. Each record has its own. */
export const TOPIC_PATHS: Readonly<Record<Exclude<Topic, 'records'>, string>> = {
  calls: '/api/v3/pbx-status',
  extensions: '/api/v3/sip',
  providers: '/api/v3/sip-providers',
  bans: '/api/v3/firewall',
  // Events about a bouncer show parts of its key's record.
  bouncers: '/api/v3/api-keys',
  engine: '/api/v3/pbx-status',
  modules: '/api/v3/modules',
  hours: '/api/v3/off-work-times',
  queues: '/api/v3/call-queues',
};
