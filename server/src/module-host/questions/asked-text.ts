import { readAsked } from '@pbxcore/module/fields';
import { InvalidFields } from '../../lib/errors.ts';

export const askedText = (value: unknown, name: string): string =>
  readAsked(value, name, (reason) => new InvalidFields(reason));
