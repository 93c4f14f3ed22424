import { MAX_QUESTION_VALUES } from '@pbxcore/module/fields';
import { InvalidFields, RuleBroken } from '../../lib/errors.ts';
import { MAX_JSON_DEPTH, shapeOf } from '../../lib/json-depth.ts';
import { PART_BYTES } from '../line/message-sizes.ts';

interface Terms {
  /** Prefix of the reasons. */
  readonly name: '' | 'body: ';
  readonly mostDepth: number;
  readonly chargeJson: (cost: { readonly values: number }) => void;
}

/** Charges a module's JSON before it is parsed, whatever the outcome. Throws if parsing it would take too long. */
export function payForJson(json: Uint8Array, { name, mostDepth, chargeJson }: Terms): void {
  const most = json.length > PART_BYTES ? MAX_QUESTION_VALUES : Infinity;
  const { depth, values } = shapeOf(json, { depth: mostDepth, values: most });
  chargeJson({ values });
  if (depth > mostDepth) throw new InvalidFields(`${name}nested deeper than ${MAX_JSON_DEPTH}`);
  if (values > most) throw new RuleBroken(`${name}more than ${MAX_QUESTION_VALUES} values at once`);
}
