import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useRef, useState } from 'react';

type WholeNumberProps = Omit<NumberInputProps, 'value' | 'onChange' | 'onFocus' | 'onBlur'> & {
  readonly value: number;
  readonly onChange: (value: number) => void;
};

/** A field emptied to type another number stays empty; on leaving it, the previous number returns. */
export function WholeNumber({ value, onChange, ...props }: WholeNumberProps) {
  const [isEmpty, setEmpty] = useState(false);
  const before = useRef(value);
  return (
    <NumberInput
      {...props}
      allowNegative={false}
      allowDecimal={false}
      clampBehavior="none"
      hideControls
      value={isEmpty ? '' : value}
      onChange={(typed) => {
        setEmpty(typed === '');
        onChange(typed === '' ? before.current : Number(typed));
      }}
      onFocus={() => {
        before.current = value;
      }}
      onBlur={() => setEmpty(false)}
    />
  );
}
