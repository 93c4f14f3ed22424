import Type from 'typebox';
import { answer, JSON_TYPE } from '../../../http/answer.ts';
import type { PermissionCatalogue } from '../../../http/permissions.ts';
import { anyCredential, type Route, route } from '../../../http/route.ts';
import { jsonParts } from '../../../http/send.ts';

interface OpenapiParts {
  /** Called late, since these routes are themselves part of the document. */
  readonly document: () => string;
  readonly permissions: () => PermissionCatalogue;
}

const AnyObject = Type.Object({}, { additionalProperties: true });
const levels = Type.Array(Type.Enum(['read', 'write']));
const Permission = Type.Object(
  {
    path: Type.String(),
    label: Type.String(),
    description: Type.String(),
    available_actions: levels,
    endpoints: Type.Object({ read: Type.Array(Type.String()), write: Type.Array(Type.String()) }),
  },
  { $id: 'Permission' },
);
const Controller = Type.Object({ name: Type.String(), label: Type.String(), actions: levels });
const Category = Type.Object({ type: Type.String(), controllers: Type.Record(Type.String(), Controller) });

const GROUP = {
  label: 'Interface',
  description: 'This document, and the permissions that API keys can be granted',
};

export function openapiRoutes({ document, permissions }: OpenapiParts): Route[] {
  return [
    route({
      method: 'GET',
      path: '/openapi:getSpecification',
      function: 'getSpecification',
      access: anyCredential,
      group: GROUP,
      summary: 'This document',
      bare: true,
      answer: AnyObject,
      async handle({ headers }) {
        const packed = await jsonParts(document(), headers['accept-encoding']);
        return answer({
          status: 200,
          headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...packed.headers },
          parts: packed.parts,
        });
      },
    }),
    route({
      method: 'GET',
      path: '/openapi:getSimplifiedPermissions',
      function: 'getSimplifiedPermissions',
      access: anyCredential,
      group: GROUP,
      summary: 'Permissions that an API key can be granted, with the endpoints of each level',
      answer: Type.Object({
        resources: Type.Record(Type.String(), Permission),
        action_descriptions: Type.Object({ read: Type.String(), write: Type.String() }),
      }),
      handle: () => permissions().simplified(),
    }),
    route({
      method: 'GET',
      path: '/openapi:getDetailedPermissions',
      function: 'getDetailedPermissions',
      access: anyCredential,
      group: GROUP,
      summary: 'The permission catalogue by category',
      answer: Type.Object({ categories: Type.Record(Type.String(), Category) }),
      handle: () => permissions().detailed(),
    }),
  ];
}
