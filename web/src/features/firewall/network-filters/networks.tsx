import { Page } from '../../../ui/page.tsx';

export function Networks() {
  return <Page title="Networks">{null}</Page>;
}
