import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isNotFound } from '../../../api/errors.ts';
import { Failure } from '../../../ui/failure.tsx';
import { CallDetail, useCall } from './call-detail.tsx';
import { Party } from './call-words.tsx';

/** The call that a link opens, if it is not among the rows shown. */
export function OpenedElsewhere({
  linkedid,
  onClose,
}: {
  readonly linkedid: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { data: call, error } = useCall(linkedid);
  if (error && !isNotFound(error)) return <Failure error={error} />;
  return (
    <Alert
      variant="outline"
      color="gray"
      title={t('cdr.linked')}
      withCloseButton
      closeButtonLabel={t('ui.close')}
      onClose={onClose}
    >
      {error && <Text size="sm">{t('cdr.gone')}</Text>}
      {call && (
        <>
          <Text size="sm">
            <Party number={call.src_num} name={call.src_name} /> →{' '}
            <Party number={call.dst_num} name={call.dst_name} />
          </Text>
          <CallDetail call={call} />
        </>
      )}
    </Alert>
  );
}
