import type { BouncerOptions, ClientName } from '../../../../lib/bouncer-options.ts';

/** The values that go into a snippet. */
export interface SnippetFacts {
  /** Id of the API key. */
  readonly id: string;
  readonly description: string;
  /** The key itself, or a placeholder for one that is never shown again. */
  readonly key: string;
  /** URL of the bouncer interface, with a slash at its end. */
  readonly url: string;
  readonly client: ClientName | '';
  readonly options: BouncerOptions;
}

/** Placeholder for a key that its owner chose, as that is never echoed (contract 2.7). */
export const KEY_OF_YOUR_OWN = 'THE-KEY-THAT-YOU-CHOSE';
/** Placeholder for a key that exists already. */
export const KEY_SHOWN_ONCE = '<API key>';

const WARNING = [
  'A ban covers every port of the host, SSH too. Before you start this, put the network of the administrator on the',
  'whitelist (Firewall, or `whitelist` of /fail2ban): nothing inside it is ever banned.',
];

/** Keeps an operator's text on one line and inside its comment; some parsers break lines at more than \n. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').replaceAll('?>', '? >');

/** Names the key that a text was made for. */
export const commentOf = ({ id, description }: Pick<SnippetFacts, 'id' | 'description'>, more = ''): string =>
  `API key ${id} "${oneLine(description)}"${more}`;

/** The first lines of every snippet for bouncers, as comments in its language. */
export function heading(
  facts: SnippetFacts,
  { file, mark = '#' }: { readonly file?: string; readonly mark?: '#' | '//' } = {},
): string[] {
  const { client } = facts;
  const forClient =
    client === '' || client === 'crowdsec-firewall-bouncer' ? '' : ` for the client ${client}`;
  const secrecy = file ? ', keep this file readable for root only' : '';
  return [
    ...(file ? [file] : []),
    commentOf(
      facts,
      `${forClient}: ${facts.key === KEY_SHOWN_ONCE ? 'put it in below' : 'shown only now'}${secrecy}.`,
    ),
    ...WARNING,
  ].map((line) => `${mark} ${line}`);
}

/** Some clients append their path to a URL that must not end in a slash. */
export const withoutSlash = (url: string): string => url.replace(/\/$/, '');
