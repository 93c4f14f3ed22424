/** The map of the page: groups of the navigation, their screens, and the key that jumps there after `g`. */
export const SCREENS = [
  { group: 'overview', screens: [{ id: 'overview', to: '/', jump: 'o' }] },
  {
    group: 'telephony',
    screens: [
      { id: 'employees', to: '/employees', jump: 'e' },
      { id: 'providers', to: '/providers', jump: 'p' },
      { id: 'calls', to: '/calls', jump: 'c' },
    ],
  },
  {
    group: 'call-flow',
    screens: [
      { id: 'call-flow', to: '/call-flow', jump: 'w' },
      { id: 'incoming-routes', to: '/incoming-routes', jump: 'i' },
      { id: 'outbound-routes', to: '/outbound-routes', jump: 'u' },
      { id: 'menus', to: '/menus', jump: 'v' },
      { id: 'queues', to: '/queues', jump: 'q' },
      { id: 'opening-hours', to: '/opening-hours', jump: 'h' },
      { id: 'sounds', to: '/sounds', jump: 'a' },
    ],
  },
  {
    group: 'firewall',
    screens: [
      { id: 'bans', to: '/bans', jump: 'f' },
      { id: 'networks', to: '/networks', jump: 'n' },
      { id: 'rules', to: '/rules', jump: 'r' },
      { id: 'bouncers', to: '/bouncers', jump: 'b' },
    ],
  },
  {
    group: 'system',
    screens: [
      { id: 'api-keys', to: '/api-keys', jump: 'k' },
      { id: 'modules', to: '/modules', jump: 'm' },
      { id: 'status', to: '/status', jump: 's' },
    ],
  },
] as const;

export const ALL_SCREENS = SCREENS.flatMap(({ screens }) => [...screens]);
