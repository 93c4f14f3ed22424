import { Page } from '../../../ui/page.tsx';

export function ProviderScreen() {
  return <Page title="ProviderScreen">{null}</Page>;
}
