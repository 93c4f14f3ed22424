import { Button, Code, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';

interface ApiCallProps {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the root of the API. */
  readonly path: string;
  readonly body?: object;
}

/** The API call of this form, for use in a script. The key is left out. */
export function ApiCall({ method, path, body }: ApiCallProps) {
  const { t } = useTranslation();
  const text = curlOf({ method, path, ...(body && { body }) });
  return (
    <Menu width={480} position="top-start" withinPortal>
      <Menu.Target>
        <Button variant="subtle" size="compact-sm" color="gray">
          {t('ui.apiCall')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Code block>{text}</Code>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Menu.Item closeMenuOnClick={false} onClick={copy}>
              {copied ? t('ui.copied') : t('ui.copyCurl')}
            </Menu.Item>
          )}
        </CopyButton>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Quoted for a POSIX shell: inside single quotes, only the single quote is special. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curlOf({ method, path, body }: ApiCallProps): string {
  const lines = [
    `curl -X ${method} ${quoted(`${location.origin}/pbxcore/api/v3${path}`)}`,
    `-H "Authorization: Bearer $PBX_KEY"`,
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`] : []),
  ];
  return lines.join(' \\\n  ');
}
