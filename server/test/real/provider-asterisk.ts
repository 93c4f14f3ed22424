import { type PlainAsterisk, startPlainAsterisk } from './plain-asterisk.ts';

/** The account of the provider's customer, the exchange under test. */
export const ACCOUNT = { username: 'acme', secret: 'trunk-secret' };

/** Numbers in the provider's network, by what happens to a call there. */
export const PROVIDER_NUMBERS = {
  /** Answers and plays 1700 Hz. */
  answers: '4930100',
  busy: '4930200',
  /** 404. */
  unknown: '4930300',
  /** 503. */
  overloaded: '4930400',
  ringsForever: '4930500',
};

/** The tone that everybody behind the provider plays. */
export const PROVIDER_HZ = 1700;

export interface Provider extends Omit<PlainAsterisk, 'originate'> {
  /** A call from the provider's network to the customer; the caller plays `PROVIDER_HZ` once answered. */
  callIn(did: string, callerId: string): Promise<void>;
}

/** A second Asterisk as a telephone company: a registrar with one customer, and numbers with fixed behaviour. */
export async function startProvider(address: string): Promise<Provider> {
  const asterisk = await startPlainAsterisk({
    address,
    pjsip: pjsipText(address),
    extensions: dialplanText(),
  });
  return {
    ...asterisk,
    callIn: (did, callerId) =>
      asterisk.originate({
        // The called number goes into the request URI; the rest is the customer's registered contact.
        channel: `PJSIP/${did}@${ACCOUNT.username}`,
        callerId,
        context: 'network',
        extension: PROVIDER_NUMBERS.answers,
      }),
  };
}

function pjsipText(address: string): string {
  const { username, secret } = ACCOUNT;
  return `[global]
type=global
user_agent=Provider
[udp]
type=transport
protocol=udp
bind=${address}:5060
[tcp]
type=transport
protocol=tcp
bind=${address}:5060
[${username}]
type=endpoint
context=network
auth=${username}
aors=${username}
disallow=all
allow=ulaw,alaw
direct_media=no
rtp_symmetric=yes
force_rport=yes
rewrite_contact=yes
trust_id_inbound=yes
send_pai=yes
[${username}]
type=auth
auth_type=userpass
username=${username}
password=${secret}
[${username}]
type=aor
max_contacts=3
remove_existing=yes
`;
}

function dialplanText(): string {
  const { answers, busy, unknown, overloaded, ringsForever } = PROVIDER_NUMBERS;
  return `[network]
exten => ${answers},1,Answer()
 same => n,Playtones(${PROVIDER_HZ})
 same => n,Wait(600)
exten => ${busy},1,Hangup(17)
exten => ${unknown},1,Hangup(1)
exten => ${overloaded},1,Hangup(34)
exten => ${ringsForever},1,Ringing()
 same => n,Wait(600)
`;
}
