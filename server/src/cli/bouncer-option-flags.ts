import type { KeptOptions } from '../features/access/api-keys/bouncer-options.ts';
import { CLIENT_NAMES, optionsOf } from '../lib/bouncer-options.ts';

/** Options for how decisions are presented to a key (contract 17.20), for the commands that set them. */
export const optionFlags = {
  client: { type: 'string' },
  'bouncer-option': { type: 'string', multiple: true },
} as const;

export const optionDetails = [
  `  --client          send decisions in the form that this client needs: ${CLIENT_NAMES.slice(0, 5).join(', ')},`,
  `                    ${CLIENT_NAMES.slice(5).join(', ')}`,
  '  --bouncer-option  deleted_excludes_present=true, one_per_address=true, subtract_whitelist=true,',
  '                    duration_format=seconds, =go or =go_fraction; may be repeated',
];

interface OptionValues {
  readonly client?: string | undefined;
  readonly 'bouncer-option'?: string[] | undefined;
}

/** In the form that the API takes; their values are checked there. */
export function sentOptions(values: OptionValues, refuse: (reason: string) => Error) {
  const pairs = values['bouncer-option']?.map((text) => {
    const [name, value, ...rest] = text.split('=');
    if (!name || !value || rest.length > 0)
      throw refuse('--bouncer-option must look like duration_format=go');
    return [name, value] as const;
  });
  return {
    ...(values.client !== undefined && { client: values.client }),
    ...(pairs && { bouncer_options: Object.fromEntries(pairs) }),
  };
}

/** The client, and the options that differ from its defaults. */
export function describeOptions({ client, bouncer_options: options }: KeptOptions): string {
  const set: Readonly<Record<string, unknown>> = { ...optionsOf(client) };
  const others = Object.entries(options).filter(([name, value]) => value !== set[name]);
  return [client, ...others.map(([name, value]) => `${name}=${value}`)].filter(Boolean).join(' ');
}
