import { Page } from '../../../ui/page.tsx';

export function StatusScreen() {
  return <Page title="StatusScreen">{null}</Page>;
}
