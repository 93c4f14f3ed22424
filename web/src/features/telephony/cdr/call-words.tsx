import { useTranslation } from 'react-i18next';
import { Status, type Tone } from '../../../ui/status.tsx';

const TONES: Readonly<Record<string, Tone>> = {
  ANSWERED: 'good',
  NOANSWER: 'warning',
  BUSY: 'busy',
  FAILED: 'bad',
  CHANUNAVAIL: 'off',
};

/** How a call or leg ended. Unknown words, from other tools that write records, are shown as they are. */
export function Disposition({ value }: { readonly value: string }) {
  const { t } = useTranslation();
  const key = value.toUpperCase().replaceAll(' ', '');
  const isKnown = Object.hasOwn(TONES, key);
  return (
    <Status
      tone={(isKnown && TONES[key]) || 'off'}
      label={isKnown ? t(`cdr.disposition.${key}`) : value || t('cdr.unknown')}
    />
  );
}

/** A number, and the name that came with it. */
export function Party({ number, name }: { readonly number: string; readonly name: string }) {
  const { t } = useTranslation();
  const shown = [number, name].filter((text, index) => text !== '' && (index === 0 || text !== number));
  return (
    <span>
      {shown[0] === undefined ? t('cdr.withheld') : <bdi>{cut(shown[0])}</bdi>}
      {shown[1] !== undefined && (
        <>
          {' '}
          <bdi>{cut(shown[1])}</bdi>
        </>
      )}
    </span>
  );
}

/** A stranger may send a name of any length. */
const cut = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
