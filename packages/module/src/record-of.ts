import type { FieldDescription, FieldDescriptions, JsonObject } from './description.ts';

/** `const fields = { … } as const satisfies FieldDescriptions; type Note = RecordOf<typeof fields>;` */
export type RecordOf<F extends FieldDescriptions> = { -readonly [Name in keyof F]: ValueOf<F[Name]> };

type ValueOf<F extends FieldDescription> = F extends { readonly type: 'string' }
  ? F extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : string
  : F extends { readonly type: 'integer' | 'number' }
    ? number
    : F extends { readonly type: 'boolean' }
      ? boolean
      : F extends { readonly type: 'array' }
        ? unknown[]
        : JsonObject;
