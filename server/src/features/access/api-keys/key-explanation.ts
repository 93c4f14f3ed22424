import Type from 'typebox';
import { CHECKS, type CheckOutcome, explainAdmission, type Limits } from '../../../http/admission.ts';
import type { KeyCaller } from '../../../http/caller.ts';
import { custom, described, FieldProblem, oneOf, optional, text, withDefault } from '../../../http/fields.ts';
import { API_ROOT, digits, type Route, reads, route } from '../../../http/route.ts';
import type { Router } from '../../../http/router.ts';
import type { SourceAddress } from '../../../http/source-address.ts';
import { NotFound } from '../../../lib/errors.ts';
import { type Network, parseAddress } from '../../../lib/network.ts';
import { apiKeyResource } from './api-keys.routes.ts';
import type { ApiKeys } from './api-keys.service.ts';
import type { ApiKeyRow } from './api-keys.store.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

interface ExplanationParts {
  readonly router: () => Router;
  readonly limits: Limits;
  readonly sourceAt: (address: Network) => SourceAddress;
  readonly callerWith: (keyHash: string) => Promise<KeyCaller | undefined>;
}

interface Question {
  readonly address: Network;
  readonly path: string;
  readonly method: string;
}

/** Explains whether a request with this key would be admitted, and what stops it (contract 34). */
export function createKeyExplanations({ router, limits, sourceAt, callerWith }: ExplanationParts) {
  return async (row: ApiKeyRow, { address, path, method }: Question) => {
    const caller = await callerWith(row.key_hash);
    if (!caller) throw new NotFound(`API key ${row.id} not found`);
    const source = sourceAt(address);
    const checks = explainAdmission({ router: router(), ...limits }, { method, path, caller, source });
    const stop: CheckOutcome | undefined = checks.find(({ passed }) => !passed);
    return {
      method,
      path,
      address: source.text,
      admitted: stop === undefined,
      stoppedBy: stop?.check ?? null,
      checks,
    };
  };
}

const addressField = custom<Network>(
  {
    type: 'string',
    examples: ['192.0.2.7'],
    description: 'Address that the request would come from. Default: your own',
  },
  (value) => {
    const address = parseAddress(String(value).trim());
    if (!address) throw new FieldProblem('must be an IPv4 or IPv6 address');
    return address;
  },
);

const Explanation = Type.Object(
  {
    method: Type.String(),
    path: Type.String({ description: 'The full path that was checked' }),
    address: Type.String(),
    admitted: Type.Boolean(),
    stoppedBy: Type.Union([Type.Null(), Type.Enum([...CHECKS])]),
    checks: Type.Array(
      Type.Object({
        check: Type.Enum([...CHECKS]),
        passed: Type.Boolean(),
        explanation: Type.String({
          description: 'If the check fails: what the refused caller is told',
        }),
      }),
      {
        description:
          'Checks in the order that a request goes through them; if there is no such route, the other checks are left out',
      },
    ),
  },
  {
    $id: 'KeyExplanation',
    examples: [
      {
        method: 'GET',
        path: '/pbxcore/api/v3/cdr',
        address: '192.0.2.7',
        admitted: false,
        stoppedBy: 'level',
        checks: [
          { check: 'route', passed: true, explanation: 'there is such a route' },
          { check: 'credential', passed: true, explanation: 'the key is valid' },
          { check: 'networkFilter', passed: true, explanation: 'the key may be used from 192.0.2.7' },
          { check: 'level', passed: false, explanation: 'this API key does not hold read on /api/v3/cdr' },
          { check: 'rate', passed: true, explanation: 'the key is within its limit' },
        ],
      },
    ],
  },
);

export function keyExplanationRoute({
  keys,
  explain,
}: {
  readonly keys: ApiKeys;
  readonly explain: ReturnType<typeof createKeyExplanations>;
}): Route {
  return route({
    method: 'GET',
    path: '/api-keys/{id}:explain',
    function: 'explain',
    access: reads(apiKeyResource),
    summary: 'Check whether a request with this key would be admitted, and which check refuses it',
    description:
      'No request is sent and nothing is counted. The body, the record and the fields are not checked: a real request goes through those checks afterwards.',
    id: digits,
    find: keys.find,
    query: {
      address: optional(addressField),
      path: described(
        text({ min: 1, max: 2048, pattern: { test: /^\//, says: 'must begin with /' } }),
        'Relative (`/employees`) or full path (`/pbxcore/api/v3/employees`)',
      ),
      method: withDefault(oneOf(METHODS), 'GET'),
    },
    answer: Explanation,
    handle({ found, query, address }) {
      const [asked = ''] = query.path.split('?');
      return explain(found, {
        address: query.address ?? (parseAddress(address) as Network),
        path: asked.startsWith('/pbxcore/') ? asked : API_ROOT + asked,
        method: query.method,
      });
    },
  });
}
