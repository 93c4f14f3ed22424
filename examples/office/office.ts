// The office that set-up.ts builds, as described in docs/call-flow.md. Change it to yours.
import type {
  CallQueuesCreateBody,
  EmployeesPatchBody,
  IncomingRoutesCreateBody,
  IvrMenuCreateBody,
  OffWorkTimesCreateBody,
  OutboundRoutesCreateBody,
  SipProvidersCreateBody,
} from '@pbxcore/client';

/** Ids of your choice: by them, the script finds existing records at its next run. */
const CITY = 'SIP-CITY';
const WORLD = 'SIP-WORLD';

export const lines: Array<SipProvidersCreateBody & { id: string }> = [
  { id: CITY, description: 'City Telecom', host: 'sip.city.example', username: '4930111' },
  { id: WORLD, description: 'World Voice', host: 'sip.world.example', username: '4930222' },
];

/** Their numbers begin with 3, so that the keys 1 and 2 of the menu act at once. */
export const people: Array<EmployeesPatchBody & { number: string; user_username: string }> = [
  { number: '301', user_username: 'Anna Sales', call_class: 'international' },
  { number: '302', user_username: 'Boris Berg', call_class: 'national' },
  { number: '303', user_username: 'Workshop', call_class: 'internal' },
  { number: '304', user_username: 'Clara Sales', call_class: 'international' },
];

/** By name: the file to upload, if it is in the folder of sounds. */
export const sounds = { Greeting: 'greeting.wav', Closed: 'closed.wav' } as const;
export type SoundIds = Readonly<Record<keyof typeof sounds, string>>;

/** Callers whom nobody in sales answers within a minute, or at all, go to Boris. */
export const sales: CallQueuesCreateBody & { id: string } = {
  id: 'QUEUE-SALES',
  name: 'Sales',
  extension: '600',
  strategy: 'ringall',
  caller_hear: 'moh',
  members: [{ extension: '301' }, { extension: '304' }],
  timeout_to_redirect_to_extension: 60,
  timeout_extension: '302',
  redirect_to_extension_if_empty: '302',
};

export const menu = (sound: SoundIds): IvrMenuCreateBody & { id: string } => ({
  id: 'IVR-FRONT-DESK',
  name: 'Front desk',
  extension: '700',
  audio_message_id: sound.Greeting,
  actions: [
    { digits: '1', extension: '600' },
    { digits: '2', extension: '302' },
  ],
  allow_enter_any_internal_extension: true,
  number_of_repeat: 1,
  timeout_extension: '600',
});

export const incoming: Array<IncomingRoutesCreateBody & { rulename: string }> = [
  { rulename: 'City line', number: '4930111', providerid: CITY, priority: 1, extension: '700' },
  { rulename: 'World line', number: '4930222', providerid: WORLD, priority: 2, extension: '700' },
];

/** For calls to any other number of ours. */
export const everythingElse = { rulename: 'Any other number', extension: '600' };

/** The rules say when the office is closed: Friday 18:00 to Monday 09:00, and every night in between. */
export const closed = (sound: SoundIds): Array<OffWorkTimesCreateBody & { description: string }> => [
  {
    description: 'Weekend',
    weekday_from: '6',
    weekday_to: '7',
    action: 'playmessage',
    audio_message_id: sound.Closed,
    priority: 1,
  },
  {
    description: 'Nights',
    weekday_from: '1',
    weekday_to: '5',
    time_from: '18:00',
    time_to: '09:00',
    action: 'playmessage',
    audio_message_id: sound.Closed,
    priority: 2,
  },
];

/** `0Z` is a zero and then no second one: calls abroad must not fit it, whatever the caller's class. */
export const outbound: Array<OutboundRoutesCreateBody & { rulename: string }> = [
  {
    rulename: 'Own country with +49',
    numberbeginswith: '+49',
    trimfrombegin: 2,
    prepend: '0',
    providerid: CITY,
    callerid: '+4930111',
    call_class: 'national',
    priority: 1,
  },
  {
    rulename: 'Abroad',
    numberbeginswith: '(00|+)',
    providerid: WORLD,
    callerid: '+4930222',
    call_class: 'international',
    priority: 2,
  },
  {
    rulename: 'Own country',
    numberbeginswith: '0Z',
    providerid: CITY,
    callerid: '+4930111',
    call_class: 'national',
    priority: 3,
  },
  {
    rulename: 'Own country while City is down',
    numberbeginswith: '0Z',
    providerid: WORLD,
    callerid: '+4930222',
    call_class: 'national',
    priority: 4,
  },
];
