import { Page } from '../../../ui/page.tsx';

export function ApiKeyScreen() {
  return <Page title="ApiKeyScreen">{null}</Page>;
}
