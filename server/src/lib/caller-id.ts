import { text } from '@pbxcore/module/fields';

/** Shown to the called party outside (contract 23): `''` for none, `anonymous`, or a number. */
export const callerIdField = text({
  max: 16,
  pattern: { test: /^(anonymous|\+?\d{2,15})?$/, says: 'must be digits, + allowed before them' },
});

/** Which outside numbers somebody may call: each class includes those before it (contract 23.9). */
export const CALL_CLASSES = ['internal', 'national', 'international', 'premium'] as const;
export type CallClass = (typeof CALL_CLASSES)[number];
