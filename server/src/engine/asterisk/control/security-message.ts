/**
 * Security events carry text that a stranger chose, and the engine passes it on with its line breaks: `AccountID` is
 * the user of the From address, percent-decoded, cut at 36 bytes (res/res_pjsip/pjsip_distributor.c, the same in 16 to
 * 23). Everything before it is the engine's own, and what follows has a fixed order (main/security_events.c). 36 bytes
 * are too few for the three lines that follow, so these three in a row are always the engine's: until they have come,
 * no line ends the message or adds a key. A Call-ID, and what comes after the address, cannot hold a line break.
 */
const NAMES = new Set([
  'AuthMethodNotAllowed',
  'ChallengeResponseFailed',
  'ChallengeSent',
  'FailedACL',
  'InvalidAccountID',
  'InvalidPassword',
  'InvalidTransport',
  'LoadAverageLimit',
  'MemoryLimit',
  'RequestBadFormat',
  'RequestNotAllowed',
  'RequestNotSupported',
  'SessionLimit',
  'SuccessfulAuth',
  'UnexpectedAddress',
]);
const BEGINNING = 'Event: ';
const ACCOUNT = 'AccountID';
const AFTER_ACCOUNT = ['SessionID', 'LocalAddress', 'RemoteAddress'] as const;

export const isSecurityEvent = (line: string): boolean =>
  line.startsWith(BEGINNING) && NAMES.has(line.slice(BEGINNING.length));

/**
 * Takes one line after the other; returns the message with the line that ends it. The first of repeated keys counts.
 */
export function readSecurityEvent(firstLine: string) {
  const message: Record<string, string> = Object.create(null);
  /** The account, and the lines that may turn out to be what follows it; `undefined` = not reached yet, or complete. */
  let account: string[] | undefined;
  let isPastAddress = false;
  add(firstLine);

  function add(line: string): void {
    const colon = line.indexOf(': ');
    if (colon > 0) message[line.slice(0, colon)] ??= line.slice(colon + 2);
  }

  /** Collects lines until the three after the account have come: whatever is before them is the account. */
  function readAccount(lines: string[], line: string): void {
    lines.push(line);
    const tail = lines.slice(-AFTER_ACCOUNT.length);
    if (!tail.every((text, i) => text.startsWith(`${AFTER_ACCOUNT[i]}: `)) || tail.length < 3) return;
    message[ACCOUNT] = lines.slice(0, -AFTER_ACCOUNT.length).join('\n');
    for (const text of tail) add(text);
    account = undefined;
    isPastAddress = true;
  }

  return (line: string): Readonly<Record<string, string>> | undefined => {
    if (account) readAccount(account, line);
    else if (line === '') return message;
    else if (!isPastAddress && line.startsWith(`${ACCOUNT}: `)) account = [line.slice(ACCOUNT.length + 2)];
    else add(line);
    return undefined;
  };
}
