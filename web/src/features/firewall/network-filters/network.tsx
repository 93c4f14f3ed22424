import { Page } from '../../../ui/page.tsx';

export function NetworkScreen() {
  return <Page title="NetworkScreen">{null}</Page>;
}
