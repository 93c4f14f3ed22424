import { useTranslation } from 'react-i18next';
import { useLive } from '../api/live.ts';
import { Status } from '../ui/status.tsx';

/** Shows when the data on the screen may be outdated, and since when. */
export function LiveState() {
  const { t, i18n } = useTranslation();
  const { state, asOf } = useLive();
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' }).format(asOf);
  return (
    <div role="status" className="short-when-narrow">
      {state === 'open' ? (
        <Status tone="good" label={t('app.live')} />
      ) : (
        <Status tone="warning" label={t('app.reconnecting', { time })} />
      )}
    </div>
  );
}
