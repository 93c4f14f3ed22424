import { Page } from '../../../ui/page.tsx';

export function Providers() {
  return <Page title="Providers">{null}</Page>;
}
