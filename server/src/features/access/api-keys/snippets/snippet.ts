import type { BouncerOptions, ClientName } from '../../../../lib/bouncer-options.ts';

/** What a snippet is made of. */
export interface SnippetFacts {
  /** Of the API key. */
  readonly id: string;
  readonly description: string;
  /** The key itself, or what stands for one that is never shown again. */
  readonly key: string;
  /** Of the bouncer interface, with a slash at its end. */
  readonly url: string;
  readonly client: ClientName | '';
  readonly options: BouncerOptions;
}

/** Put where a key stands that its owner chose: it is never echoed (contract 2.7). */
export const KEY_OF_YOUR_OWN = 'THE-KEY-THAT-YOU-CHOSE';
/** The same for a key that exists already. */
export const KEY_SHOWN_ONCE = '<API key>';

const WARNING = [
  'A ban covers every port of the host, SSH too. Before you start this, put the network of the administrator on the',
  'whitelist (Firewall, or `whitelist` of /fail2ban): nothing inside it is ever banned.',
];

/** Whatever an operator wrote stays on one line, and does not end a comment: some readers break lines at more than \n. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').replaceAll('?>', '? >');

/** Which key a text was made for. */
export const commentOf = ({ id, description }: Pick<SnippetFacts, 'id' | 'description'>, more = ''): string =>
  `API key ${id} "${oneLine(description)}"${more}`;

/** The first lines of every snippet for bouncers, as comments of its language. */
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
