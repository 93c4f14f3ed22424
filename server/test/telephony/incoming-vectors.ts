import { type DesiredCallFlow, PLAIN_CALL_FLOW } from '../../src/engine/desired-call-flow.ts';
import { defaultRoute, incomingRoute } from './flow-rig.ts';

const GERMANY = { ...PLAIN_CALL_FLOW.numbering, countryCode: '49' };
const any600 = incomingRoute(2, '', '600');

interface Vector {
  readonly flow: Partial<DesiredCallFlow>;
  /** The called number, with 015100 as caller; or `number from caller`. */
  readonly called: string;
  readonly legs: readonly string[];
  readonly status: number;
  /** The provider sends the caller's number, marked as private. */
  readonly isPrivate?: true;
}

const one = incomingRoute;
const first = [any600, one(3, '74951234567', '201')];
const ends = [one(2, '_7495XXXXXXX', '201'), one(3, '4567', '202', { match: 'ends' })];
const blocked = [
  one(2, '', 'hangup', { callers: ['+7999*', 'anonymous'], priority: 9 }),
  one(3, '123', '201', { priority: 1 }),
];
const german = { numbering: GERMANY, incomingRoutes: [one(2, '+4930111', '201')] };
const named = { incomingRoutes: [one(2, 'sales.eu', '600')] };
const inside = { incomingRoutes: [], defaultRoute: defaultRoute('250') };
export const gone = (...numbers: string[]) => numbers.map((number) => `${number} CHANUNAVAIL`);

/** Nobody has a phone here, so that every call runs its whole chain at once. Route 1 leads to 250. */
export const VECTORS: readonly Vector[] = [
  { flow: { incomingRoutes: first }, called: '74951234567', legs: gone('201', '250'), status: 480 },
  { flow: { incomingRoutes: first }, called: '74950000000', legs: gone('600', '250'), status: 480 },
  { flow: { incomingRoutes: ends }, called: '74951234567', legs: gone('202', '250'), status: 480 },
  { flow: { incomingRoutes: ends }, called: '74950000000', legs: gone('201', '250'), status: 480 },
  {
    flow: { incomingRoutes: blocked },
    called: '123 from 79991112233',
    legs: ['123 FAILED/HANGUP'],
    status: 603,
  },
  {
    flow: { incomingRoutes: blocked },
    called: '123 from anonymous',
    legs: ['123 FAILED/HANGUP'],
    status: 603,
  },
  {
    flow: { incomingRoutes: blocked },
    called: '123 from 79161112233',
    legs: gone('201', '250'),
    status: 480,
  },
  {
    flow: { incomingRoutes: blocked },
    called: '123 from 79161112239',
    isPrivate: true,
    legs: ['123 FAILED/HANGUP'],
    status: 603,
  },
  ...['030111', '004930111', '4930111', '+4930111'].map((called) => ({
    flow: german,
    called,
    legs: gone('201', '250'),
    status: 480,
  })),
  { flow: german, called: '30111', legs: gone('250'), status: 480 },
  { flow: named, called: 'Sales.EU', legs: gone('600', '250'), status: 480 },
  { flow: named, called: 'sales', legs: gone('250'), status: 480 },
  { flow: inside, called: '201', legs: gone('201'), status: 480 },
  { flow: inside, called: '999', legs: gone('250'), status: 480 },
  // Neither digits nor a name (contract 22.12): not a number.
  { flow: { incomingRoutes: first }, called: 'sales-eu', legs: gone('600', '250'), status: 480 },
  { flow: { incomingRoutes: first }, called: '*31#', legs: gone('600', '250'), status: 480 },
  // Contract 22.9: nobody's number.
  {
    flow: { incomingRoutes: [], defaultRoute: defaultRoute('') },
    called: '999',
    legs: ['999 FAILED/NOROUTE'],
    status: 404,
  },
  {
    flow: { incomingRoutes: [], defaultRoute: defaultRoute('250', { didToExtension: false }) },
    called: '201',
    legs: gone('250'),
    status: 480,
  },
  // The outcome is that of the first target; that route 1 leads nowhere does not change it.
  {
    flow: { incomingRoutes: first, defaultRoute: defaultRoute('') },
    called: '74951234567',
    legs: gone('201'),
    status: 480,
  },
  // Contract 21: keywords.
  ...(
    [
      ['busy', '4930 BUSY', 486],
      ['hangup', '4930 FAILED/HANGUP', 603],
      ['voicemail', '4930 FAILED/HANGUP', 603],
    ] as const
  ).map(([word, leg, status]) => ({
    flow: { incomingRoutes: [one(2, '4930', word), one(3, '4930', '202')] },
    called: '4930',
    legs: [leg],
    status,
  })),
  {
    flow: { defaultRoute: defaultRoute('did2user', { didToExtension: false }) },
    called: '201',
    legs: gone('201'),
    status: 480,
  },
  { flow: { defaultRoute: defaultRoute('did2user') }, called: '+4930777202', legs: gone('202'), status: 480 },
  {
    flow: { defaultRoute: defaultRoute('did2user') },
    called: '4930777',
    legs: ['4930777 FAILED/NOROUTE'],
    status: 404,
  },
  // Contract 21.7: from outside a mobile is nobody's number, but it may be a target.
  { flow: { defaultRoute: defaultRoute('') }, called: '01701', legs: ['01701 FAILED/NOROUTE'], status: 404 },
];
